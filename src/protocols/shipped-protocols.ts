/**
 * Protocols to start with. Durations were chosen by hand within the limits of the sources named at each protocol.
 * A laboratory stores its own protocols as JSON. A screen is not a full-field stimulator. Its luminance is unknown to
 * foveola and should be recorded in the notes.
 */
import type { Protocol } from './protocol.ts';

const sit = {
  en: 'Sit comfortably, look at the small cross in the middle and try not to blink while the screen is bright. Press the space bar when you are ready.',
  de: 'Setzen Sie sich bequem hin, sehen Sie auf das kleine Kreuz in der Mitte und blinzeln Sie möglichst nicht, solange der Bildschirm hell ist. Drücken Sie die Leertaste, wenn Sie bereit sind.',
};
const done = { en: 'Thank you, that was all.', de: 'Danke, das war alles.' };

/**
 * Kelbsch et al., Standards in Pupillography, Front Neurol 10:129, 2019: light of 1 s, several times, after adaptation.
 */
const lightReflex: Protocol = {
  format: 1,
  id: 'light-reflex',
  title: { en: 'Light reflex', de: 'Lichtreaktion' },
  description: {
    en: 'Three flashes of one second after ten seconds in the dark.',
    de: 'Drei Blitze von einer Sekunde nach zehn Sekunden im Dunkeln.',
  },
  measure: 'light-reflex',
  steps: [
    { type: 'text', text: sit },
    { type: 'adapt', duration: 10_000, label: 'baseline' },
    {
      type: 'repeat',
      times: 3,
      steps: [
        { type: 'flash', duration: 1000, label: 'flash' },
        { type: 'pause', duration: 9000 },
      ],
    },
    { type: 'text', text: done },
  ],
};

/**
 * Kelbsch et al. 2019 and Wilhelm et al. 2001 (Graefes Arch 239): each eye in turn for about 2 s, repeated several
 * times.
 */
const swingingFlashlight: Protocol = {
  format: 1,
  id: 'swinging-flashlight',
  title: { en: 'Swinging flashlight', de: 'Wechselbelichtung' },
  description: {
    en: 'The left and the right half of the screen are lit in turn. Hold a card between your eyes, so that each sees its half alone.',
    de: 'Die linke und die rechte Hälfte des Bildschirms leuchten abwechselnd. Halten Sie eine Karte zwischen die Augen, so dass jedes nur seine Hälfte sieht.',
  },
  measure: 'relative-afferent-defect',
  eyes: 2,
  steps: [
    {
      type: 'text',
      text: {
        en: 'Hold the card between your eyes and look at the cross. Press the space bar when you are ready.',
        de: 'Halten Sie die Karte zwischen die Augen und sehen Sie auf das Kreuz. Drücken Sie die Leertaste, wenn Sie bereit sind.',
      },
    },
    { type: 'adapt', duration: 10_000, label: 'baseline' },
    {
      type: 'repeat',
      times: 6,
      steps: [
        { type: 'flash', duration: 2000, eye: 'left', label: 'left' },
        { type: 'pause', duration: 1000 },
        { type: 'flash', duration: 2000, eye: 'right', label: 'right' },
        { type: 'pause', duration: 1000 },
      ],
    },
    { type: 'text', text: done },
  ],
};

/** Hippus: slow waves of 0.05 to 0.5 Hz. One minute contains three of the slowest waves. */
const rest: Protocol = {
  format: 1,
  id: 'rest',
  title: { en: 'Rest', de: 'Ruhe' },
  description: {
    en: 'One minute of an even, dim screen: how much the pupil moves by itself.',
    de: 'Eine Minute vor einem gleichmäßig dunklen Bildschirm: wie stark sich die Pupille von selbst bewegt.',
  },
  measure: 'rest',
  luminance: 0.1,
  steps: [
    {
      type: 'text',
      text: {
        en: 'Look at the cross for one minute and think of nothing in particular. Press the space bar when you are ready.',
        de: 'Sehen Sie eine Minute lang auf das Kreuz und denken Sie an nichts Bestimmtes. Drücken Sie die Leertaste, wenn Sie bereit sind.',
      },
    },
    { type: 'adapt', duration: 5000, label: 'adapt' },
    { type: 'pause', duration: 60_000, label: 'rest' },
    { type: 'text', text: done },
  ],
};

const task = (product: string, answer: string): Protocol['steps'] => [
  { type: 'pause', duration: 5000, label: 'before' },
  { type: 'ask', text: product, answer, duration: 20_000, label: 'task' },
  { type: 'pause', duration: 5000, label: 'after' },
];

/**
 * Multiplications of increasing difficulty: Hess and Polt, Pupil size in relation to mental activity, Science 143,
 * 1964.
 */
const cognitiveLoad: Protocol = {
  format: 1,
  id: 'cognitive-load',
  title: { en: 'Cognitive load', de: 'Geistige Anstrengung' },
  description: {
    en: 'Four products, each harder than the one before, to be worked out in the head.',
    de: 'Vier Kopfrechenaufgaben, jede schwerer als die vorige.',
  },
  measure: 'task-evoked',
  luminance: 0.2,
  steps: [
    {
      type: 'text',
      text: {
        en: 'Work out each product in your head, press the space bar as soon as you know it, then say it. Press it now to begin.',
        de: 'Rechnen Sie jede Aufgabe im Kopf, drücken Sie die Leertaste, sobald Sie das Ergebnis wissen, und sagen Sie es dann. Drücken Sie sie jetzt, um zu beginnen.',
      },
    },
    { type: 'adapt', duration: 5000, label: 'baseline' },
    ...task('7 × 8', '56'),
    ...task('8 × 13', '104'),
    ...task('13 × 14', '182'),
    ...task('16 × 23', '368'),
    { type: 'text', text: done },
  ],
};

/**
 * Adhikari et al. (IOVS 56, 2015) recommend pulses of 1 s or less. Kelbsch et al. 2019: red before blue, because the
 * response to blue lasts longer (83 s after 1 s of light). On a screen with sRGB colors, both lights have one luminance.
 */
const redBlue: Protocol = {
  format: 1,
  id: 'red-blue',
  title: { en: 'Red and blue light', de: 'Rotes und blaues Licht' },
  description: {
    en: 'A red and a blue flash of equal luminance after five minutes in the dark: how long the pupil stays constricted.',
    de: 'Ein roter und ein blauer Blitz gleicher Leuchtdichte nach fünf Minuten im Dunkeln: wie lange die Pupille eng bleibt.',
  },
  measure: 'post-illumination',
  steps: [
    { type: 'text', text: sit },
    { type: 'adapt', duration: 300_000, countdown: true, label: 'dark' },
    { type: 'pause', duration: 15_000, label: 'baseline' },
    { type: 'flash', duration: 1000, color: '#ff0000', luminance: 0.34, label: 'red' },
    { type: 'pause', duration: 60_000 },
    { type: 'flash', duration: 1000, color: '#0000ff', label: 'blue' },
    { type: 'pause', duration: 60_000 },
    { type: 'text', text: done },
  ],
};

/** Pupillographic sleepiness test: 11 minutes in the dark (Lüdtke et al., Vision Res 38, 1998). */
const unrest: Protocol = {
  format: 1,
  id: 'unrest',
  title: { en: 'Pupillary unrest', de: 'Pupillenunruhe' },
  description: {
    en: 'Eleven minutes in the dark: how much the pupil moves, a measure of sleepiness.',
    de: 'Elf Minuten im Dunkeln: wie stark sich die Pupille bewegt, ein Maß für Schläfrigkeit.',
  },
  measure: 'unrest',
  steps: [
    {
      type: 'text',
      text: {
        en: 'Look at the cross for eleven minutes, relax, and do not speak. Press the space bar when you are ready.',
        de: 'Sehen Sie elf Minuten lang auf das Kreuz, entspannen Sie sich und sprechen Sie nicht. Drücken Sie die Leertaste, wenn Sie bereit sind.',
      },
    },
    { type: 'adapt', duration: 30_000, label: 'adapt' },
    { type: 'pause', duration: 660_000, label: 'rest' },
    { type: 'text', text: done },
  ],
};

const darkAdaptation: Protocol = {
  format: 1,
  id: 'dark-adaptation',
  title: { en: 'Dark adaptation', de: 'Dunkeladaptation' },
  description: {
    en: 'Half a minute of light, then five minutes in the dark with the time left: how far and how fast the pupil widens.',
    de: 'Eine halbe Minute Licht, dann fünf Minuten im Dunkeln mit der verbleibenden Zeit: wie weit und wie schnell sich die Pupille öffnet.',
  },
  measure: 'dark-adaptation',
  steps: [
    { type: 'text', text: sit },
    { type: 'adapt', duration: 30_000, luminance: 0.5, label: 'light' },
    { type: 'adapt', duration: 300_000, countdown: true, label: 'dark' },
    { type: 'text', text: done },
  ],
};

/** The person looks beyond the screen and then at it, so the light does not change. */
const nearResponse: Protocol = {
  format: 1,
  id: 'near-response',
  title: { en: 'Near response', de: 'Naheinstellung' },
  description: {
    en: 'Looking far and near in turn, three times. Put the screen 30 to 40 cm away, with a far target beside it.',
    de: 'Dreimal abwechselnd in die Ferne und in die Nähe sehen. Den Bildschirm in 30 bis 40 cm Abstand stellen, daneben ein fernes Ziel.',
  },
  measure: 'near-response',
  luminance: 0.1,
  steps: [
    {
      type: 'text',
      text: {
        en: 'When the screen says far, look at the far target. When it says near, read the letters on the screen. Press the space bar when you are ready.',
        de: 'Steht dort Fern, sehen Sie auf das ferne Ziel. Steht dort Nah, lesen Sie die Buchstaben auf dem Bildschirm. Drücken Sie die Leertaste, wenn Sie bereit sind.',
      },
    },
    {
      type: 'repeat',
      times: 3,
      steps: [
        { type: 'show', text: { en: 'Far', de: 'Fern' }, duration: 8000, label: 'far' },
        { type: 'show', text: { en: 'Near: R K S D H', de: 'Nah: R K S D H' }, duration: 6000, label: 'near' },
      ],
    },
    { type: 'text', text: done },
  ],
};

/** The protocols by id. */
export const protocols = {
  'light-reflex': lightReflex,
  'swinging-flashlight': swingingFlashlight,
  rest,
  'cognitive-load': cognitiveLoad,
  'red-blue': redBlue,
  unrest,
  'dark-adaptation': darkAdaptation,
  'near-response': nearResponse,
} as const satisfies Record<string, Protocol>;

export type ProtocolName = keyof typeof protocols;
