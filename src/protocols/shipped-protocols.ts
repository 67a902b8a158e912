/**
 * Four protocols to start with. Durations were chosen by hand within the limits of the sources named at each protocol.
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

/** The protocols by id. */
export const protocols = {
  'light-reflex': lightReflex,
  'swinging-flashlight': swingingFlashlight,
  rest,
  'cognitive-load': cognitiveLoad,
} as const satisfies Record<string, Protocol>;

export type ProtocolName = keyof typeof protocols;
