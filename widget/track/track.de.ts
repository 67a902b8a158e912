/** Die Wörter von <foveola-track> auf Deutsch. */
import type { words as english } from './track.en.ts';

export const words: typeof english = {
  title: 'Objektverfolgung',
  stage: 'Video mit den verfolgten Zielen',
  empty: 'Noch keine Aufnahme',
  emptyHint:
    'Video hierher ziehen oder eine Quelle wählen, dann einen Rahmen um das ziehen, was verfolgt werden soll. Nichts verlässt diese Seite.',
  following: 'Wird verfolgt',
  add: 'Rahmen um ein Ziel ziehen',
  correct: 'Rahmen berichtigen',
  mot: 'MOT exportieren',
  truth: 'Wahrheit',
  openTruth: 'Wahrheit öffnen, eine Box je Zeile',
  truthWaits: (frames) =>
    `Wahre Boxen zu ${frames} Bildern. Jedes Bild auswerten (A), um sie mit der Spur zu vergleichen.`,
  truthFormats: { sides: 'x, y, Breite, Höhe', corners: 'zwei Ecken' },
  truthScore: (s) =>
    `Wahre Boxen zu ${s.frames} Bildern (${s.format}): mittlere Überdeckung ${s.mean}, Erfolg ab 0,5 ${s.success}; ab 0,25 Genauigkeit ${s.precision}, Trefferquote ${s.recall}, F ${s.f}`,
  saveScore: 'Bewertung als JSON speichern',
  targets: 'Ziele',
  none: 'Ziehen Sie einen Rahmen um das, was verfolgt werden soll.',
  drawHint:
    'Ziehen Sie einen Rahmen, oder bewegen Sie ihn mit den Pfeiltasten, ändern Sie seine Größe mit Umschalt und Pfeiltasten, und drücken Sie die Eingabetaste.',
  added: (id) => `Ziel ${id} wird verfolgt`,
  removed: (id) => `Ziel ${id} entfernt`,
  corrected: (id) => `Ziel ${id} berichtigt`,
  remove: (id) => `Ziel ${id} entfernen`,
  found: (id) => `Ziel ${id} wiedergefunden`,
  lost: (id) => `Ziel ${id} verloren`,
  lostState: 'Ziel verloren',
  state: (id, percent) => `${id}: ${percent === null ? 'verloren' : `${percent} %`}`,
  boxAt: ({ x, y, width, height }) =>
    `Rahmen: ${width} mal ${height} Pixel bei ${x}, ${y}. Pfeiltasten bewegen, Umschalt und Pfeiltasten ändern die Größe, Eingabe übernimmt.`,
};

/** Of parameters that only its settings have. */
export const labels = {
  seed: 'Startwert',
  grid: 'Suchfenster',
  'track.minSize': 'Kleinstes Fenster',
  learning: 'Lernen',
  fernThreshold: 'Schwelle der Farne',
  nearestThreshold: 'Ähnlichkeit eines Fundes',
  validThreshold: 'Ähnlichkeit zum Lernen',
  sameThreshold: 'Ähnlichkeit gleicher Flicken',
  negativeOverlap: 'Überlappung des Hintergrunds',
  firstWarps: 'Kopien des ersten Rahmens',
  warps: 'Kopien späterer Rahmen',
  noise: 'Rauschen der Kopien',
  'track.candidates': 'Verglichene Fenster',
  positives: 'Höchstens Flicken des Ziels',
  negatives: 'Höchstens Flicken des Hintergrunds',
  flowPoints: 'Flusspunkte quer',
  flowWindow: 'Flussfenster',
  flowLevels: 'Fluss-Halbierungen',
  flowResidual: 'Größter Flussrest',
};
