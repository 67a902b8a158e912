/** German strings of the settings, and the effects of parameters. */
import type { Strings } from './en.ts';
import type { settings as english } from './later.en.ts';

// German effects of parameters. The English ones are in the parameter tables.

const pupil: Record<string, string> = {
  method:
    'Robust: das Beste aus Kantenstücken und Strahlen. Starburst: Strahlen aus der Pupille. Schwelle: die größte dunkle Fläche über mehrere Schwellen. Hough: Canny und Hough-Transformation.',
  'pupil.variant':
    'Veröffentlichtes Verfahren: Start in der Bildmitte mit fester Schwelle. Empfohlen: sucht den Start, passt die Schwelle an und verfeinert den Umriss.',
  fit: 'Form, die Mitte und Durchmesser bestimmt.',
  eyes: 'Bei 2 wird in jeder Bildhälfte eine Pupille gesucht.',
  view: 'Bei zwei Augen. Von vorn: Die Kamera sieht die Person an, das rechte Auge ist in der linken Bildhälfte. Spiegelbild: Dort ist das linke Auge.',
  eye: 'Bei einem Auge: das linke oder das rechte der Person.',
  polarity: 'Pupille im Vergleich zur Iris. Hell, wenn das Licht dicht neben dem Objektiv steht.',
  reflections:
    'Hornhautreflexe: Strahlen überspringen sie, sie werden von ihrem Rand her interpoliert oder sie bleiben unverändert.',
  reflectionSize: 'Größe des Top-Hat-Kerns. Schmalere Reflexe werden gefunden.',
  reflectionThreshold: 'Mindesthelligkeit eines Reflexes gegenüber seiner Umgebung.',
  reflectionDilation: 'Größe des Kerns, um den Reflexe verbreitert werden.',
  smoothing: 'Filter vor den Strahlen.',
  gaussianSize: 'Größe des Gauß-Kerns.',
  gaussianSigma: 'Standardabweichung des Gauß-Kerns.',
  medianSize: 'Größe des Medianfensters.',
  rays: 'Anzahl der Strahlen des ersten Durchgangs.',
  secondaryRays: 'Anzahl der Strahlen zurück von jedem Randpunkt, verteilt über ±50 Grad.',
  minGradient: 'Mindestgradient eines Randes.',
  sets: 'Anzahl der RANSAC-Stichproben von fünf Punkten.',
  voteDistance: 'Ein Punkt, der einem Kreis so nahe ist, stimmt für ihn (RANSAC).',
  epsilon: 'Die Suche endet, wenn sich die Mitte um weniger bewegt.',
  'pupil.iterations': 'Höchstzahl der Iterationen aus Strahlen und Anpassung.',
  minDiameter: 'Minimaler Pupillendurchmesser.',
  maxDiameter: 'Maximaler Pupillendurchmesser.',
  minConfidence: 'Darunter gilt die Pupille als nicht gefunden.',
  minContrast: 'Mindestkontrast (Median) über den Umriss.',
  thresholdFrom: 'Minimale Schwelle des Verfahrens Schwelle.',
  thresholdTo: 'Maximale Schwelle des Verfahrens Schwelle.',
  thresholdStep: 'Schrittweite des Verfahrens Schwelle. Kleiner findet mehr und dauert länger.',
  guard:
    'Das Verfahren Schwelle verwirft dunkle Flächen, die mehrere Ränder des Ausschnitts berühren, dünn oder zerklüftet (Schatten, Wimpern) oder zu klein oder zu groß sind. Nicht beim veröffentlichten Verfahren.',
  angleStep:
    'Winkel zwischen den Stimmrichtungen einer Kante (Verfahren Hough). Kleiner ist sicherer und dauert länger.',
  houghSide:
    'Das Verfahren Hough halbiert das Bild, bis seine Seiten etwa so lang sind. Größer dauert länger. Nicht beim veröffentlichten Verfahren.',
  workingDiagonal:
    'Bilder werden ganzzahlig verkleinert, bis der durchsuchte Teil etwa diese Diagonale hat. Einstellungen in Pixeln gelten für das verkleinerte Bild, Ergebnisse für das volle. Größer ist feiner und langsamer. Nicht beim veröffentlichten Verfahren.',
  candidates: 'Anzahl der dunklen Bereiche, die im ersten Bild oder nach einem Verlust geprüft werden.',
  maxBlink: 'Längste Lücke ohne Pupille, die als Lidschlag zählt. Danach gilt das Auge als geschlossen.',
  tracking: 'Beginnt bei der vorigen Pupille. Nach einem Verlust wird das ganze Bild durchsucht.',
  tilesOnDemand:
    'Bereitet nur die Kacheln vor, die Strahlen kreuzen. Aus bereitet das ganze Bild vor, mit demselben Ergebnis.',
  depth:
    'Höchstzahl der Bilder, die auf der GPU zugleich in Arbeit sind. Mehr Bilder erhöhen bis zu einer Grenze den Durchsatz und die Latenz. Die CPU hat immer ein Bild in Arbeit.',
  secondOpinion:
    "Ein gelerntes Netz für die Methode 'robust'. 'unsure' befragt es zu Pupillen mit einer Sicherheit unter 0,9. 'always' misst auch Lider und Iris in jedem Bild.",
  glints: 'Höchstzahl der Lampenreflexe, die nahe der Pupille für die Blickrichtung gesucht werden. 0 sucht keine.',
};

const track: Record<string, string> = {
  'track.variant':
    'Mit Korrelationsfiltern: Sie verfolgen und erkennen das Ziel, der Detektor schlägt vor. Veröffentlichtes Verfahren: der veröffentlichte Integrator. Gilt für später hinzugefügte Ziele.',
  seed: 'Für Ferns, Verformungen und Beispiele. Gleicher Startwert und gleiche Bilder ergeben dieselbe Spur.',
  grid: 'Das veröffentlichte Verfahren verschiebt Fenster um 10 % ihrer Seiten, das veröffentlichte Programm in beiden Richtungen um 10 % ihrer Höhe.',
  'track.minSize': 'Kleinste Seite eines Fensters. Ein kleineres Ziel hat kleinere Fenster.',
  'track.minConfidence': 'Rahmen unter dieser Konfidenz werden nicht gemeldet.',
  learning: 'Aktualisiert das Modell. Aus lässt es unverändert.',
  fernThreshold: 'Mittlere Wahrscheinlichkeit, die ein Fenster mindestens haben muss.',
  nearestThreshold: 'Relative Ähnlichkeit, die eine Erkennung mindestens haben muss.',
  validThreshold: 'Konservative Ähnlichkeit, von der an einer Spur vertraut und aus ihr gelernt wird.',
  sameThreshold: 'Korrelation, von der an Ausschnitte als gleich gelten.',
  negativeOverlap: 'Fenster, die sich weniger überlappen, sind Hintergrund.',
  firstWarps: 'Anzahl der verformten Kopien des ersten Rahmens.',
  warps: 'Anzahl der verformten Kopien jedes späteren Rahmens.',
  noise: 'Rauschen auf verformten Kopien.',
  'track.candidates': 'Höchstzahl der Fenster, die mit gespeicherten Ausschnitten verglichen werden.',
  positives: 'Höchstzahl der Ausschnitte des Ziels.',
  negatives: 'Höchstzahl der Ausschnitte des Hintergrunds.',
  flowPoints: 'Anzahl der Punkte waagerecht und senkrecht im Rahmen.',
  flowWindow: 'Fenster des optischen Flusses.',
  flowLevels: 'Pyramidenstufen des optischen Flusses.',
  flowResidual: 'Residuum (Median), ab dem der optische Fluss als gescheitert gilt.',
  rotation: 'Misst auch, wie weit sich das Ziel gedreht hat, seit sein Rahmen gezogen wurde.',
};

const face: Record<string, string> = {
  detectEvery: 'Abstand zweier Suchen. Die Arbeit verteilt sich auf seine erste Hälfte. 1 sucht in jedem Bild.',
  maxFaces: 'Höchstzahl der verfolgten Gesichter. Ein Ergebnis warnt, wenn Gesichter fehlen. 0 setzt keine Grenze.',
  smoothLandmarks: 'Verringert das Zittern der Landmarken mit einem 1-Euro-Filter, der sich mit dem Gesicht bewegt.',
  scaleFactor: 'Faktor von einer Fenstergröße zur nächsten.',
  minNeighbors:
    'Zahl weiterer Fenster, die ein Gesicht braucht. 0 meldet jedes angenommene Fenster. Gilt ohne zweite Kaskade.',
  minScore: 'Gemeinsame Mindestbewertung zweier Kaskaden. Gilt mit zweiter Kaskade.',
  'face.minSize': 'Kleinste Seite eines Gesichtsrahmens. 0 nimmt das Fenster der Kaskade.',
  maxSize: 'Größte Seite eines Gesichtsrahmens. 0 nimmt die Größe des Bildes.',
  scaling: 'Skaliert das Bild wie OpenCV oder die Merkmale der Kaskade wie die Dissertation.',
  step: 'Abstand der Fenster. 0 nimmt 2 oder, wenn das Bild auf die Hälfte oder kleiner skaliert ist, 1.',
  maxSide:
    'Größere Bilder werden in dieser Größe durchsucht. Das ist schneller, verliert aber kleine Gesichter. 0 sucht in voller Größe.',
  grouping: 'Fenster, die ein Gesicht bilden: mit ähnlicher Position und Größe oder mit beliebiger Überlappung.',
};

const filter: Record<string, string> = {
  'filter.variant':
    'Beim veröffentlichten Verfahren der Bewegung bewegt sich für jeden Pixel ein eigenes Fenster, etwa 50-mal langsamer. Beim Ausfüllen wird der ähnlichste Flicken unverändert kopiert.',
  low: 'Kanten enden, wenn der Gradient nicht größer ist. Kleinere Werte folgen schwächeren Kanten.',
  high: 'Jede Kante hat irgendwo einen größeren Gradienten. Größere Werte entfernen schwache Kanten.',
  norm: 'Betrag |dx| + |dy| oder die Wurzel aus dx² + dy², die in allen Richtungen gleich ist.',
  sigma:
    'Gauß-Glättung vor dem Gradienten. 0 schaltet sie aus. Größere Werte unterdrücken mehr Rauschen und verwischen Kanten mehr.',
  size: 'Größe des Glättungskerns, wenn Sigma über 0 liegt.',
  thresholds: 'Automatisch: Die obere Schwelle ist das 80. Perzentil der Beträge, die untere 40 % davon.',
  derivative: 'Gauß: Ableitung der Gauß-Funktion. Beträge werden auf höchstens 255 skaliert.',
  hysteresis:
    'Schwache Kanten, die mit einer starken verbunden sind, werden auf der CPU oder der GPU bis zu ihrem Ende verfolgt oder entfernt. Automatisch wählt das Schnellere.',
  rho: 'Abstand zweier paralleler Linien.',
  theta: 'Winkel zwischen zwei Richtungen. Kleiner ist feiner und dauert länger.',
  threshold: 'Eine Linie braucht mehr Stimmen, etwa eine pro Pixel ihrer Länge.',
  max: 'Höchstzahl der Linien.',
  gap: 'Kantenstücke, die entlang der Linie näher beieinander liegen, bilden einen Abschnitt.',
  voting: 'Backend, das die Stimmen zählt. Kann die GPU es nicht, zählt die CPU.',
  window:
    'Seitenlänge des Quadrats, das sich als Ganzes bewegt. Größer ist stabiler und verwischt die Grenzen der Bewegung.',
  levels: 'Anzahl der Pyramidenstufen unter der vollen Größe. Jede verdoppelt die größte messbare Bewegung.',
  'filter.iterations': 'Höchstzahl der Iterationen je Stufe.',
  minEigenvalue:
    'Minimaler Eigenwert des Strukturtensors im Fenster je Pixel, in der Einheit von OpenCV (Ableitungen in 1024steln). Darunter geht ein Punkt verloren.',
  refine:
    'Glättet die Bewegung in Flächen und behält ihre Stufen an Bildkanten. Das ergibt Bewegung überall mit schärferen Grenzen und dauert auf der CPU 3- bis 4-mal so lange.',
  maxForwardBackward:
    'Über 0 wird die Bewegung in beide Richtungen berechnet. Pixel, die weiter von ihrem Anfang entfernt enden, sind ungültig. Das dauert doppelt so lange.',
  patch: 'Seitenlänge der kopierten Flicken. Etwas größer als die größte wiederholte Einzelheit wählen.',
  searchWindow:
    'Vorlagen stammen aus einem Quadrat dieser Seite um den Flicken. 0 durchsucht das ganze Bild wie das veröffentlichte Verfahren.',
  'gaussian.size': 'Größe des Kerns. Größer bezieht eine größere Umgebung ein.',
  'gaussian.sigma': 'Standardabweichung. Größer glättet Rauschen stärker und verwischt Kanten mehr.',
  'median.size': 'Größe des Kerns. Flecken mit weniger als seiner halben Fläche verschwinden.',
  'morphology.operation': 'Minimum oder Maximum im Kern oder die Differenz zu einer Öffnung.',
  'morphology.size': 'Größe des Kerns. Schmalere Strukturen verschwinden.',
  'threshold.level': 'Hellere Werte werden gesetzt. Ein höherer Wert lässt nur die hellsten übrig.',
  'threshold.value': 'Graustufe der gesetzten Werte: 255 für ein Bild, 1 zum Zählen.',
  'bilateral.size': 'Größe des Kerns. Größer glättet über eine größere Umgebung und dauert länger.',
  'bilateral.sigmaColor': 'Standardabweichung der gemischten Graustufen. Größer glättet über stärkere Kanten.',
  'bilateral.sigmaSpace': 'Standardabweichung des Abstands. Größer glättet mehr, soweit der Kern reicht.',
};

export const effects: Record<string, string> = { ...pupil, ...track, ...face, ...filter };

const choices = {
  'method.robust': 'Robust',
  'method.starburst': 'Starburst',
  'method.threshold': 'Schwelle',
  'method.hough': 'Hough',
  'variant.default': 'Empfohlen',
  'variant.paper': 'Veröffentlichtes Verfahren',
  'variant.filters': 'Mit Korrelationsfiltern',
  'variant.seamless': 'Nahtlos',
  'polarity.dark': 'Dunkle Pupille',
  'polarity.bright': 'Helle Pupille',
  'fit.ellipse': 'Ellipse',
  'fit.circle': 'Kreis',
  'view.facing': 'Von vorn',
  'view.mirrored': 'Spiegelbild',
  'view.unknown': 'Nicht bekannt',
  'eye.left': 'Links',
  'eye.right': 'Rechts',
  'eye.unknown': 'Nicht bekannt',
  'reflections.skip': 'Überspringen',
  'reflections.interpolate': 'Interpolieren',
  'reflections.none': 'Unverändert lassen',
  'secondOpinion.none': 'Keine',
  'secondOpinion.unsure': 'Wenn unsicher',
  'secondOpinion.always': 'Immer, mit Lidern und Iris',
  'smoothing.gaussian': 'Gauß',
  'smoothing.median': 'Median',
  'scaling.image': 'Bild',
  'scaling.classifier': 'Detektor',
  'grouping.similarity': 'Ähnliche Position und Größe',
  'grouping.overlap': 'Überlappende Fenster',
  'grid.paper': 'Veröffentlichtes Verfahren',
  'grid.release': 'Veröffentlichtes Programm',
  'norm.L1': 'Summe (L1)',
  'norm.L2': 'Wurzel (L2)',
  'thresholds.given': 'Manuell',
  'thresholds.auto': 'Automatisch',
  'derivative.sobel': 'Sobel',
  'derivative.gaussian': 'Gauß',
  'hysteresis.auto': 'Automatisch',
  'hysteresis.flood': 'CPU',
  'hysteresis.passes': 'GPU',
  'hysteresis.none': 'Aus',
  'voting.auto': 'Automatisch',
  'voting.wasm': 'CPU',
  'voting.gpu': 'GPU',
  'morphology.operation.erode': 'Erosion (Minimum)',
  'morphology.operation.dilate': 'Dilatation (Maximum)',
  'morphology.operation.topHat': 'Top-Hat (kleine helle Flecken)',
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
  ms: 'ms',
  frames: 'Bilder',
  µm: 'µm',
} as Record<string, string>;

export const settings: typeof english = {
  choices,
  units,
  groups: {
    detection: 'Erkennung',
    reflections: 'Reflexe und Glättung',
    rays: 'Strahlen (Robust und Starburst)',
    methods: 'Schwelle und Hough',
    learning: 'Lernen',
    motion: 'Bewegung',
    speed: 'Geschwindigkeit',
    others: 'Weitere',
  },
  setups: {
    camera: 'Kamera',
    headset: 'Infrarot, am Kopf',
    desk: 'Infrarot, auf dem Tisch',
    webcam: 'Webcam, ein Auge',
    mouse: 'Mausauge',
    fundus: (degrees) => `Funduskamera, ${degrees}°`,
    filters: 'Filter für Reflexe',
  },
  presets: {
    gaussian: (kernel) => `Gauß, Reflexe ${kernel} px breit`,
    median: (size, kernel) => `Median von ${size} px, Reflexe ${kernel} px breit`,
  },
  on: 'ein',
  off: 'aus',
};

export const why: Strings['why'] = {
  noSource: 'Zuerst eine Quelle öffnen.',
  loading: 'Warten, bis die Quelle geöffnet ist.',
  noVideo: 'Ein einzelnes Bild wird nicht abgespielt.',
  pageVideo: 'Die Seite hat ihr Video angehalten. Dort fortsetzen.',
  analysing: 'Zuerst muss die Auswertung enden.',
  noRows: 'Zuerst etwas aufzeichnen oder auswerten.',
  noResult: 'Zuerst auf die Gefäße warten.',
  noUndo: 'Es wurde noch nichts geändert.',
  noRedo: 'Es wurde nichts rückgängig gemacht.',
  allDefault: 'Alles steht auf der Voreinstellung.',
  noMask: 'Zuerst etwas übermalen.',
};
