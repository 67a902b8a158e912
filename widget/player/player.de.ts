/** Die Wörter der Zeitleiste auf Deutsch. */
import type { PlayerWords } from './player.en.ts';

export const words: PlayerWords = {
  timeline: 'Zeitleiste',
  position: 'Stelle in der Aufnahme',
  of: (time, duration) => `${time} von ${duration}`,
  states: { unknown: 'noch nicht ausgewertet', found: 'gefunden', lost: 'nicht gefunden', blink: 'Lidschlag' },
  marker: (label) => `Marke ${label}`,
  back: 'Voriges Bild',
  rate: 'Wiedergabegeschwindigkeit',
  times: (rate) => `${rate}×`,
  loopFrom: 'Ab hier wiederholen',
  loopTo: 'Bis hier wiederholen',
  loopOff: 'Nicht mehr wiederholen',
  looping: (from, to) => `Von ${from} bis ${to} wiederholen`,
  fullscreen: 'Vollbild',
  floating: 'Bild im Bild',
};
