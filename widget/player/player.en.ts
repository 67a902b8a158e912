/** The words of the timeline, in English. */
export const words = {
  timeline: 'Timeline',
  position: 'Position in the recording',
  of: (time: string, duration: string) => `${time} of ${duration}`,
  states: { unknown: 'not analyzed yet', found: 'found', lost: 'not found', blink: 'blink' },
  marker: (label: string) => `marker ${label}`,
  back: 'Frame before',
  rate: 'Playback rate',
  times: (rate: string) => `${rate}×`,
  loopFrom: 'Loop from here',
  loopTo: 'Loop up to here',
  loopOff: 'Loop no more',
  looping: (from: string, to: string) => `Loop from ${from} to ${to}`,
  fullscreen: 'Full screen',
  floating: 'Picture in picture',
};

export type PlayerWords = typeof words;
