/** Strings of the panel for markers. */
const english = {
  title: 'Markers and averages',
  count: (count: number) => (count === 1 ? '1 marker' : `${count} markers`),
  import: 'Import times',
  mark: 'Mark this frame',
  clear: 'Remove all',
  save: 'Export epochs (CSV)',
  close: 'Close',
  label: 'Markers',
  all: 'all labels',
  before: 'Before',
  after: 'After',
  seconds: (seconds: string) => `${seconds} s`,
  baseline: 'Baseline',
  baselines: { subtract: 'subtracted', percent: 'percent of it', none: 'no correction' },
  length: 'Length of the baseline',
  hint: 'Import a table with the times of your stimuli since the start of the recording (a column named onset is in seconds, time_ms in milliseconds), or press M at a frame.',
  added: (count: number, outside: number) =>
    `${count === 1 ? '1 marker' : `${count} markers`} added${outside ? `, ${outside} outside the recording left out` : ''}`,
  none: 'All times of the file are outside the recording.',
  removed: 'Markers removed',
  mean: (used: number, all: number) => `Mean of ${used} of ${all}. The band is one standard error.`,
  left: 'The others have no baseline, or less than half of their samples were measured.',
  nothing: 'No marker has enough measured samples around it.',
  chart: (unit: string) => `Mean diameter around the markers, ${unit}`,
  time: 'Seconds since the marker',
};

export type MarkerWords = typeof english;

const german: MarkerWords = {
  title: 'Markierungen und Mittelwerte',
  count: (count) => (count === 1 ? '1 Markierung' : `${count} Markierungen`),
  import: 'Zeiten einlesen',
  mark: 'Dieses Bild markieren',
  clear: 'Alle entfernen',
  save: 'Epochen speichern (CSV)',
  close: 'Schließen',
  label: 'Markierungen',
  all: 'alle Namen',
  before: 'Davor',
  after: 'Danach',
  seconds: (seconds) => `${seconds} s`,
  baseline: 'Ausgangswert',
  baselines: { subtract: 'abgezogen', percent: 'in Prozent davon', none: 'keine Korrektur' },
  length: 'Dauer des Ausgangswerts',
  hint: 'Eine Tabelle mit den Zeiten der Reize seit Beginn der Aufnahme einlesen (eine Spalte onset ist in Sekunden, time_ms in Millisekunden), oder bei einem Bild M drücken.',
  added: (count, outside) =>
    `${count === 1 ? '1 Markierung' : `${count} Markierungen`} hinzugefügt${outside ? `, ${outside} außerhalb der Aufnahme ausgelassen` : ''}`,
  none: 'Alle Zeiten der Datei liegen außerhalb der Aufnahme.',
  removed: 'Markierungen entfernt',
  mean: (used, all) => `Mittelwert von ${used} der ${all}. Das Band ist ein Standardfehler.`,
  left: 'Den anderen fehlt der Ausgangswert, oder weniger als die Hälfte ihrer Werte wurde gemessen.',
  nothing: 'Um keine Markierung wurden genug Werte gemessen.',
  chart: (unit) => `Mittlerer Durchmesser um die Markierungen, ${unit}`,
  time: 'Sekunden seit der Markierung',
};

export const markerWords = { en: english, de: german };
