/** German strings of `<foveola-face>`. */
import type { words as english } from './face.en.ts';

export const words: typeof english = {
  title: 'Gesichtsverfolgung',
  stage: 'Bild mit den gefundenen Gesichtern',
  empty: 'Noch kein Bild',
  emptyHint: 'Video oder Bild mit Gesichtern hierher ziehen oder eine Quelle wählen. Nichts verlässt diese Seite.',
  points: 'Landmarken als Punkte zeigen',
  found: 'Gesicht gefunden',
  pointsKey: 'Landmarken als Punkte zeigen oder verbergen',
  lost: 'Kein Gesicht',
  faces: 'Gesichter',
  yaw: 'Gieren',
  pitch: 'Nicken',
  roll: 'Rollen',
  pose: 'Kopfhaltung',
  opening: 'Öffnung',
  mouth: 'Mund',
  blink: 'Blinzeln',
  shut: 'ja',
  open: 'nein',
  gaze: 'Blick',
  untrusted: 'Die Landmarken sind unzuverlässig. Das Gesicht ist zu klein, zu weit gedreht oder teilweise verdeckt.',
  cut: 'Es wurden mehr Gesichter gefunden, als verfolgt werden. „Höchstzahl der Gesichter“ erhöhen, 0 für alle.',
  blur: 'Gesichter verbergen',
  loadingModel: 'Modell wird geladen',
  modelMissing: 'Nur Rahmen. Das Landmarkenmodell ist nicht geladen.',
  loadAgain: 'Noch einmal laden',
};

/** Labels of parameters that only this element has. */
export const labels = {
  detectEvery: 'Suchintervall',
  maxFaces: 'Höchstzahl der Gesichter',
  smoothLandmarks: 'Landmarken glätten',
  scaleFactor: 'Skalierungsfaktor',
  minNeighbors: 'Mindestzahl der Nachbarn',
  minScore: 'Mindestbewertung',
  'face.minSize': 'Minimale Gesichtsgröße',
  maxSize: 'Maximale Gesichtsgröße',
  scaling: 'Skalierung von',
  maxSide: 'Maximale Suchgröße',
  grouping: 'Gruppierung',
};
