/** Die Wörter der Einstellungen auf Deutsch. */
import type { settings as english, why as reasons } from './settings.en.ts';

const choices = {
  'method.robust': 'Robust',
  'method.starburst': 'Starburst',
  'method.threshold': 'Schwelle',
  'method.hough': 'Hough',
  'variant.default': 'Empfohlen',
  'variant.paper': 'Wie veröffentlicht',
  'variant.filters': 'Mit Korrelationsfiltern',
  'variant.seamless': 'Nahtlos',
  'polarity.dark': 'Dunkle Pupille',
  'polarity.bright': 'Helle Pupille',
  'fit.ellipse': 'Ellipse',
  'fit.circle': 'Kreis',
  'reflections.skip': 'Auslassen',
  'reflections.interpolate': 'Auffüllen',
  'reflections.none': 'Lassen, wie sie sind',
  'smoothing.gaussian': 'Gauß',
  'smoothing.median': 'Median',
  'scaling.image': 'Das Bild',
  'scaling.classifier': 'Der Detektor',
  'grouping.similarity': 'Ähnlich in Ort und Größe',
  'grouping.overlap': 'Alle, die sich überlappen',
  'grid.paper': 'Wie veröffentlicht',
  'grid.release': 'Wie im freigegebenen Programm',
  'norm.L1': 'Summe (L1)',
  'norm.L2': 'Wurzel (L2)',
  'thresholds.given': 'Wie eingestellt',
  'thresholds.auto': 'Automatisch',
  'derivative.sobel': 'Sobel',
  'derivative.gaussian': 'Gauß',
  'hysteresis.auto': 'Automatisch',
  'hysteresis.flood': 'Auf der CPU verfolgt',
  'hysteresis.passes': 'Auf der GPU verfolgt',
  'hysteresis.none': 'Weggelassen',
  'voting.auto': 'Automatisch',
  'voting.wasm': 'CPU',
  'voting.gpu': 'GPU',
} as Record<string, string>;

const units = {
  px: 'px',
  'px of the source': 'px',
  "of the image's diagonal": 'Anteil der Diagonale',
  "of the image's short side": 'Anteil der kurzen Seite',
  'mm/px': 'mm/px',
  'gray levels': 'Graustufen',
  'gray levels over 4 px': 'Graustufen auf 4 px',
  'gradient magnitude': 'Betrag des Gradienten',
  rad: '°', // angles are shown in degrees
  votes: 'Stimmen',
  frames: 'Bilder',
  µm: 'µm',
} as Record<string, string>;

export const settings: typeof english = {
  choices,
  units,
  inPixels: (pixels) => `jetzt ${pixels} px`,
  presets: {
    gaussian: (kernel) => `Gauß, Reflexe ${kernel} px breit`,
    median: (size, kernel) => `Median von ${size} px, Reflexe ${kernel} px breit`,
  },
  on: 'ein',
  off: 'aus',
};

export const why: typeof reasons = {
  noSource: 'Zuerst eine Quelle öffnen.',
  loading: 'Warten, bis die Quelle geöffnet ist.',
  noVideo: 'Ein einzelnes Bild wird nicht abgespielt.',
  pageVideo: 'Die Seite hat ihr Video angehalten; dort geht es weiter.',
  analysing: 'Zuerst muss die Auswertung enden.',
  notRecording: 'Zuerst eine Aufzeichnung beginnen.',
  noRows: 'Zuerst etwas aufzeichnen oder auswerten.',
  noResult: 'Zuerst auf die Gefäße warten.',
  noUndo: 'Noch wurde nichts geändert.',
  noRedo: 'Es wurde nichts zurückgenommen.',
  allDefault: 'Alles steht auf der Voreinstellung.',
  noMask: 'Zuerst etwas übermalen.',
};
