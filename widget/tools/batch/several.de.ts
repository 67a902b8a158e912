/** German strings for multiple files. */
import type { SeveralWords } from './several.en.ts';

export const words: SeveralWords = {
  title: 'Mehrere Dateien',
  counted: (done, all) => `${done} von ${all} Dateien fertig`,
  failed: (count) => (count === 1 ? '1 Datei fehlgeschlagen' : `${count} Dateien fehlgeschlagen`),
  none: 'Unter diesen Dateien ist weder ein Bild noch eine Aufnahme.',
  waiting: 'wartet',
  working: 'in Arbeit',
  percent: (percent) => `${percent} %`,
  done: 'fertig',
  frames: (count) => (count === 1 ? '1 Bild' : `${count} Bilder`),
  cancelled: 'abgebrochen',
  cancel: 'Abbrechen',
  close: 'Liste schließen',
  csv: 'CSV',
  json: 'JSON',
  csvOf: (name) => `CSV von ${name}`,
  jsonOf: (name) => `JSON von ${name}`,
  show: (name) => `${name} zeigen`,
  allCsv: 'Alle in einer CSV-Datei',
  join: 'Als eine Aufnahme öffnen',
  rate: 'Bilder pro Sekunde',
  reading: (done, all) => `${done} von ${all} Bildern gelesen`,
  allJson: 'Alle in einer JSON-Datei',
};
