/** German strings for saved recordings. */
import type { KeptWords } from './kept.en.ts';

export const words: KeptWords = {
  title: 'Aufzeichnungen auf diesem Gerät',
  ask: 'Aufzeichnungen lassen sich auf diesem Gerät speichern, während sie laufen. Bei einem Absturz oder geschlossenen Tab geht dann höchstens die letzte Sekunde verloren.',
  what: 'Gespeichert werden Messwerte, Markierungen und Einstellungen, aber keine Bilder, bis sie hier oder mit den Websitedaten in den Browsereinstellungen gelöscht werden. Nichts verlässt dieses Gerät.',
  keep: 'Aufzeichnungen auf diesem Gerät speichern',
  keeping: 'Aufzeichnungen werden auf diesem Gerät gespeichert, während sie laufen.',
  sealed: 'Sie sind verschlüsselt. Nur diese Seite hat den Schlüssel.',
  full: 'Der Speicher des Geräts ist voll. Die Aufzeichnung läuft im Arbeitsspeicher weiter. Erst exportieren, dann gespeicherte Aufzeichnungen löschen.',
  failed:
    'Diese Aufzeichnung wird nicht auf dem Gerät gespeichert und läuft im Arbeitsspeicher weiter. Vor dem Verlassen der Seite exportieren.',
  forget: 'Alle löschen und nicht mehr speichern',
  sure: 'Wirklich löschen?',
  interrupted: 'abgebrochen',
  megabytes: (count) => `${count} MB`,
  recovered: (count) =>
    count === 1
      ? 'Eine abgebrochene Aufzeichnung wurde gespeichert. Sie lässt sich unten exportieren oder löschen.'
      : `${count} abgebrochene Aufzeichnungen wurden gespeichert. Sie lassen sich unten exportieren oder löschen.`,
  csv: 'CSV',
  json: 'JSON',
  remove: 'Löschen',
  csvOf: (name) => `${name} als CSV exportieren`,
  jsonOf: (name) => `${name} als JSON exportieren`,
  removeOf: (name) => `${name} löschen`,
  kept: (count) => (count === 1 ? '1 gespeicherte Aufzeichnung' : `${count} gespeicherte Aufzeichnungen`),
  deleted: 'Gelöscht',
};
