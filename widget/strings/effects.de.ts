/** Was Parameter bewirken, auf Deutsch. Auf Englisch steht es in den Parametertabellen. */

const pupil: Record<string, string> = {
  method:
    'Robust: das Beste aus Kantenstücken und Strahlen. Starburst: Strahlen aus der Pupille. Schwelle: die größte dunkle Fläche über mehrere Schwellen. Hough: Canny und die Hough-Transformation.',
  'pupil.variant':
    'Wie veröffentlicht: Start in der Bildmitte, feste Schwelle, Ellipse durch die passenden Punkte. Empfohlen: sucht seinen Start, passt die Schwelle an und verfeinert den Umriss.',
  fit: 'Form, von der Mitte und Durchmesser genommen werden.',
  eyes: '2: in jeder Hälfte des Bildes eine Pupille.',
  view: 'Bei zwei Augen. Von vorn: Die Kamera sieht die Person an, das rechte Auge ist in der linken Bildhälfte. Spiegelbild: Dort ist das linke Auge.',
  eye: 'Bei einem Auge: ob es das linke oder das rechte der Person ist.',
  polarity: 'Die Pupille im Vergleich zur Iris: hell, wenn das Licht dicht neben dem Objektiv steht.',
  reflections:
    'Hornhautreflexe: Strahlen überspringen sie, sie werden von ihrem Rand her aufgefüllt, oder sie bleiben, wie sie sind.',
  reflectionSize: 'Seitenlänge des Quadrats für den Top-Hat; schmalere Reflexe werden gefunden.',
  reflectionThreshold: 'Um so viel ist ein Reflex heller als seine Umgebung.',
  reflectionDilation: 'Seitenlänge des Quadrats, um das Reflexe verbreitert werden.',
  smoothing: 'Filter vor den Strahlen.',
  gaussianSize: 'Breite des Gauß-Kerns.',
  gaussianSigma: 'Standardabweichung des Gauß-Kerns.',
  medianSize: 'Fenster des Medians.',
  rays: 'Strahlen des ersten Durchgangs.',
  secondaryRays: 'Strahlen zurück von jedem Randpunkt, bis zu 50 Grad nach beiden Seiten.',
  minGradient: 'Kleinste Stufe, die als Rand zählt.',
  sets: 'RANSAC: so viele Stichproben von fünf Punkten werden versucht.',
  voteDistance: 'RANSAC: ein Punkt, der einem Kreis so nahe ist, stimmt für ihn.',
  epsilon: 'Die Suche endet, wenn sich die Mitte um weniger bewegt.',
  'pupil.iterations': 'Höchstzahl der Durchgänge aus Strahlen und Anpassung.',
  minDiameter: 'Kleinste Pupille, als Anteil an der Bilddiagonale.',
  maxDiameter: 'Größte Pupille, als Anteil an der kurzen Bildseite.',
  minConfidence: 'Darunter gilt die Pupille als nicht gefunden.',
  minContrast: 'Kleinste mittlere Stufe (Median) über den Umriss.',
  thresholdFrom: 'Verfahren Schwelle: die niedrigste Schwelle.',
  thresholdTo: 'Verfahren Schwelle: die höchste Schwelle.',
  thresholdStep:
    'Verfahren Schwelle: von einer Schwelle zur nächsten; ein kleinerer Schritt findet mehr und dauert länger.',
  guard:
    'Verfahren Schwelle: dunkle Flächen, die mehrere Ränder des Ausschnitts berühren, dünn oder zerklüftet (Schatten, Wimpern) oder zu klein oder zu groß sind, zählen nicht. Nie wie veröffentlicht.',
  angleStep:
    'Verfahren Hough: in diesen Abständen stimmt eine Kante für Mitten in ihrer Richtung; kleiner ist sicherer und dauert länger.',
  houghSide:
    'Verfahren Hough: das Bild wird halbiert, bis seine Seiten etwa so lang sind; größer dauert länger. Nie wie veröffentlicht.',
  workingDiagonal:
    'Bilder werden ganzzahlig verkleinert, bis der durchsuchte Teil etwa diese Diagonale hat; Längen in Pixeln sind dann die des verkleinerten Bildes, Ergebnisse die des Bildes selbst. Größer ist feiner und langsamer. Nie wie veröffentlicht.',
  candidates: 'So viele dunkle Bereiche werden im ersten Bild oder nach einem Ausfall geprüft.',
  maxBlink: 'Längste Lücke ohne Pupille, die als Lidschlag zählt. Danach gilt das Auge als geschlossen.',
  tracking: 'Beginnt bei der vorigen Pupille; nach einem Ausfall im ganzen Bild.',
  tilesOnDemand: 'Bereitet nur vor, wo Strahlen verlaufen; aus: das ganze Bild, mit demselben Ergebnis.',
  depth:
    'Höchstzahl der Bilder, die auf der GPU zugleich in Arbeit sind: mehr erhöht bis zu einer Grenze den Durchsatz und die Zeit bis zu jedem Ergebnis. Die CPU hat immer ein Bild in Arbeit.',
  glints: 'So viele Spiegelbilder von Lampen werden nahe der Pupille gesucht, für die Blickrichtung; 0: keine.',
};

const track: Record<string, string> = {
  'track.variant':
    'Mit Korrelationsfiltern: sie verfolgen und erkennen das Ziel, der Detektor schlägt vor. Wie veröffentlicht: der veröffentlichte Integrator. Gilt für später hinzugefügte Ziele.',
  seed: 'Für Ferns, Verformungen und Beispiele; gleicher Startwert und gleiche Bilder ergeben dieselbe Spur.',
  grid: 'Fenster: wie veröffentlicht um 10 % ihrer Seiten verschoben, wie im veröffentlichten Programm in beiden Richtungen um 10 % ihrer Höhe.',
  'track.minSize': 'Kleinste Seite eines Fensters; ein kleineres Ziel hat kleinere.',
  'track.minConfidence': 'Darunter wird kein Rahmen gemeldet.',
  learning: 'Aus: das Modell bleibt, wie es ist.',
  fernThreshold: 'Mittlere Wahrscheinlichkeit, die ein Fenster haben muss.',
  nearestThreshold: 'Relative Ähnlichkeit, die ein Fund haben muss.',
  validThreshold: 'Konservative Ähnlichkeit, von der an einer Spur vertraut und aus ihr gelernt wird.',
  sameThreshold: 'Korrelation, von der an Ausschnitte als gleich gelten.',
  negativeOverlap: 'Fenster, die sich weniger überlappen, sind Hintergrund.',
  firstWarps: 'So viele verformte Kopien des ersten Rahmens.',
  warps: 'So viele verformte Kopien jedes späteren Rahmens.',
  noise: 'Rauschen auf verformten Kopien.',
  'track.candidates': 'So viele Fenster mit den meisten Stimmen werden mit gespeicherten Ausschnitten verglichen.',
  positives: 'So viele Ausschnitte des Ziels werden höchstens behalten.',
  negatives: 'So viele Ausschnitte des Hintergrunds werden höchstens behalten.',
  flowPoints: 'Punkte quer über den Rahmen, und ebenso viele senkrecht.',
  flowWindow: 'Fenster des optischen Flusses.',
  flowLevels: 'Halbierungen des optischen Flusses.',
  flowResidual: 'Abweichung (Median), von der an der optische Fluss als gescheitert gilt.',
  rotation: 'Misst auch, wie weit sich das Ziel gedreht hat, seit sein Rahmen gezogen wurde.',
};

const face: Record<string, string> = {
  detectEvery:
    'Bilder von einer Suche zur nächsten; auf die erste Hälfte wird ihre Arbeit verteilt. 1: alles in jedem Bild.',
  maxFaces: 'So viele Gesichter werden höchstens verfolgt; ein Ergebnis sagt, wenn welche fehlen. 0: alle.',
  smoothLandmarks: 'Landmarken ohne Zittern: ein 1-Euro-Filter, der sich mit dem Gesicht bewegt.',
  scaleFactor: 'Faktor von einer Fenstergröße zur nächsten.',
  minNeighbors:
    'So viele weitere Fenster braucht ein Gesicht; 0 meldet jedes Fenster, das die Kaskade besteht. Ohne zweite Kaskade.',
  minScore: 'Wie sicher zwei Kaskaden zusammen sein müssen, dass es ein Gesicht ist. Mit zweiter Kaskade.',
  'face.minSize': 'Kleinste Seite eines Gesichts; 0: das Fenster der Kaskade.',
  maxSize: 'Größte Seite; 0: die des Bildes.',
  scaling: 'Was skaliert wird: das Bild wie bei OpenCV oder die Merkmale der Kaskade wie in der Dissertation.',
  step: 'Abstand von einem Fenster zum nächsten; 0: 2, aber 1, wo das Bild auf die Hälfte oder kleiner skaliert ist.',
  maxSide:
    'Bilder mit längerer Seite werden in dieser Größe durchsucht: schneller, aber ohne kleine Gesichter; 0: wie sie sind.',
  grouping:
    'Welche Fenster zusammen ein Gesicht sind: die mit fast gleichem Ort und gleicher Größe oder alle, die sich überlappen.',
};

const filter: Record<string, string> = {
  'filter.variant':
    'Wie veröffentlicht: bei der Bewegung bewegt sich für jeden Pixel ein eigenes Fenster, etwa 50-mal langsamer; beim Ausfüllen wird der ähnlichste Flicken kopiert, wie er ist.',
  low: 'Kanten enden, wo der Gradient nicht größer ist; ein kleinerer Wert folgt schwächeren Kanten.',
  high: 'Jede Kante hat irgendwo einen größeren Gradienten; ein größerer Wert lässt schwache Kanten weg.',
  norm: 'Betrag |dx| + |dy| oder die Wurzel aus dx² + dy², die in allen Richtungen gleich ist.',
  sigma: 'Zuerst Gauß-Glättung; 0: keine. Ein größerer Wert unterdrückt mehr Rauschen und verwischt Kanten mehr.',
  size: 'Breite des Kerns, der glättet, wenn Sigma über 0 liegt.',
  thresholds:
    'Automatisch: die obere Schwelle ist der kleinste Betrag über dem von 80 % der Pixel, die untere 40 % davon.',
  derivative: 'Gauß: Ableitung der Gauß-Funktion, Beträge so skaliert, dass der größte des Bildes 255 ist.',
  hysteresis:
    'Schwache Kanten, die mit einer starken verbunden sind: bis zu ihrem Ende verfolgt, auf der CPU oder der GPU, je nachdem, was schneller ist, oder weggelassen.',
  rho: 'Abstand zweier Linien derselben Richtung.',
  theta: 'Winkel zwischen zwei Richtungen; kleiner ist feiner und dauert länger.',
  threshold: 'Eine Linie hat mehr Stimmen als so viele, etwa eine für jeden Pixel ihrer Länge.',
  max: 'So viele Linien höchstens.',
  gap: 'Kantenstücke, die entlang der Linie näher beieinander liegen, bilden einen Abschnitt.',
  voting: 'Wo Stimmen gezählt werden; wo die GPU es nicht kann, immer auf der CPU.',
  window:
    'Seitenlänge des Quadrats, das sich als Ganzes bewegt; größer ist ruhiger und verwischt die Grenzen der Bewegung.',
  levels: 'So oft werden die Bilder halbiert; jedes Mal verdoppelt sich die größte Bewegung, die gefunden wird.',
  'filter.iterations': 'Durchgänge je Stufe.',
  minEigenvalue:
    'Kleinster Eigenwert des Strukturtensors im Fenster je Pixel, in der Einheit von OpenCV (Ableitungen in 1024steln); darunter geht ein Punkt nicht mit.',
  refine:
    'Glättet die Bewegung in Flächen und behält ihre Stufen an Kanten des Bildes: Bewegung überall, schärfere Grenzen. Auf der CPU die 3- bis 4-fache Zeit.',
  maxForwardBackward:
    'Über 0: die Bewegung wird in beide Richtungen berechnet; ein Pixel, der weiter von seinem Anfang entfernt endet, ist ungültig. Doppelte Zeit.',
  patch: 'Seitenlänge der Flicken, die kopiert werden; etwas größer als die größte Einzelheit, die sich wiederholt.',
  searchWindow:
    'Vorlagen stammen aus einem Quadrat dieser Seite um den Flicken; 0: aus dem ganzen Bild, wie veröffentlicht.',
  'gaussian.size': 'Breite des Kerns; ein breiterer bezieht eine größere Umgebung ein.',
  'gaussian.sigma': 'Ein größerer Wert glättet Rauschen stärker und verwischt Kanten mehr.',
  'median.size': 'Flecken, die weniger als die halbe Fläche des Quadrats haben, verschwinden.',
  'morphology.operation': 'Der dunkelste oder hellste Punkt des Quadrats oder das, was eine Öffnung wegnimmt.',
  'morphology.size': 'Was schmaler ist, verschwindet.',
  'threshold.level': 'Was heller ist, wird gesetzt; ein höherer Wert lässt nur das Hellste übrig.',
  'threshold.value': 'Die Graustufe dessen, was gesetzt wird: 255 für ein Bild, 1 zum Zählen.',
  'bilateral.size': 'Seitenlänge des Quadrats; ein größeres glättet über eine größere Umgebung und dauert länger.',
  'bilateral.sigmaColor':
    'Wie verschieden Graustufen sein dürfen, die noch gemischt werden; ein größerer Wert glättet über stärkere Kanten.',
  'bilateral.sigmaSpace':
    'Wie schnell der Einfluss mit dem Abstand abnimmt; ein größerer Wert glättet mehr, soweit das Quadrat reicht.',
};

export const effects: Record<string, string> = { ...pupil, ...track, ...face, ...filter };
