/** German strings of `<foveola-track>`. */
import type { words as english } from './track.en.ts';

export const words: typeof english = {
  title: 'Objektverfolgung',
  stage: 'Video mit den verfolgten Zielen',
  empty: 'Noch keine Aufnahme',
  emptyHint:
    'Video hierher ziehen oder eine Quelle wählen, dann einen Rahmen um das Objekt ziehen. Nichts verlässt diese Seite.',
  following: 'Wird verfolgt',
  add: 'Rahmen ziehen um ein Ziel',
  addShort: 'Rahmen ziehen',
  correct: 'Rahmen korrigieren',
  mot: 'MOT Challenge (TXT)',
  openTruth: 'Referenz öffnen, ein Rahmen pro Zeile',
  truthWaits: (frames) =>
    `Referenz für ${frames} Bilder. Jedes Einzelbild auswerten (A), um sie mit der Spur zu vergleichen.`,
  truthFormats: { sides: 'x, y, Breite, Höhe', corners: 'zwei Ecken' },
  truthScore: (s) =>
    `Referenz für ${s.frames} Bilder (${s.format}): mittlere Überlappung ${s.mean}, Erfolg ab 0,5 ${s.success}. Ab 0,25: Präzision ${s.precision}, Trefferquote ${s.recall}, F ${s.f}`,
  saveScore: 'Bewertung als JSON speichern',
  targets: 'Ziele',
  position: 'Position',
  speed: 'Geschwindigkeit',
  trackingOn: 'Wird neu verfolgt',
  trackedOn: (frames) => `${frames} Bilder geändert`,
  none: 'Einen Rahmen um das Objekt ziehen, das verfolgt werden soll.',
  drawHint:
    'Einen Rahmen ziehen oder ihn mit den Pfeiltasten bewegen, seine Größe mit Umschalttaste und Pfeiltasten ändern und die Eingabetaste drücken.',
  added: (id) => `Ziel ${id} wird verfolgt`,
  removed: (id) => `Ziel ${id} entfernt`,
  corrected: (id) => `Ziel ${id} korrigiert`,
  remove: (id) => `Ziel ${id} entfernen`,
  found: (id) => `Ziel ${id} wiedergefunden`,
  lost: (id) => `Ziel ${id} verloren`,
  lostState: 'Ziel verloren',
  state: (id, percent) => `${id}: ${percent === null ? 'verloren' : `${percent} %`}`,
  boxAt: ({ x, y, width, height }) =>
    `Rahmen: ${width} mal ${height} Pixel bei ${x}, ${y}. Pfeiltasten bewegen, Umschalttaste und Pfeiltasten ändern die Größe, die Eingabetaste übernimmt ihn.`,
};

/** Labels of parameters that only this element has. */
export const labels = {
  seed: 'Startwert',
  grid: 'Suchfenster',
  'track.minSize': 'Minimale Fenstergröße',
  learning: 'Lernen',
  fernThreshold: 'Schwelle der Ferns',
  nearestThreshold: 'Ähnlichkeit der Erkennung',
  validThreshold: 'Ähnlichkeit zum Lernen',
  sameThreshold: 'Ähnlichkeit gleicher Ausschnitte',
  negativeOverlap: 'Überlappung des Hintergrunds',
  firstWarps: 'Kopien des ersten Rahmens',
  warps: 'Kopien späterer Rahmen',
  noise: 'Rauschen der Kopien',
  'track.candidates': 'Verglichene Fenster',
  positives: 'Maximale Ausschnitte des Ziels',
  negatives: 'Maximale Ausschnitte des Hintergrunds',
  flowPoints: 'Flusspunkte je Reihe',
  flowWindow: 'Fluss: Fenster',
  flowLevels: 'Fluss: Pyramidenstufen',
  flowResidual: 'Fluss: maximales Residuum',
  rotation: 'Rahmen dreht sich mit dem Ziel',
};
