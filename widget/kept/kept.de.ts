/** The words of kept recordings, in German. */
import type { KeptWords } from './kept.en.ts';

export const words: KeptWords = {
  title: 'Aufzeichnungen auf diesem Gerät',
  ask: 'Aufzeichnungen lassen sich auf diesem Gerät aufbewahren, während sie laufen; dann geht mit einem Absturz oder einem geschlossenen Tab höchstens die letzte Sekunde verloren.',
  what: 'Aufbewahrt werden Messwerte, Markierungen und Einstellungen, keine Bilder, bis sie gelöscht werden: hier oder mit den Daten dieser Website in den Einstellungen des Browsers. Nichts verlässt dieses Gerät.',
  keep: 'Aufzeichnungen auf diesem Gerät aufbewahren',
  keeping: 'Aufzeichnungen werden auf diesem Gerät aufbewahrt, während sie laufen.',
  sealed: 'Sie sind verschlüsselt; nur diese Seite hat den Schlüssel.',
  full: 'Der Speicher des Geräts ist voll. Was schon geschrieben ist, bleibt erhalten; die Aufzeichnung läuft im Arbeitsspeicher weiter. Erst exportieren, dann aufbewahrte Aufzeichnungen löschen.',
  failed:
    'Diese Aufzeichnung wird nicht auf dem Gerät aufbewahrt; sie läuft im Arbeitsspeicher weiter. Vor dem Verlassen der Seite exportieren.',
  forget: 'Alle löschen und keine mehr aufbewahren',
  sure: 'Wirklich löschen?',
  interrupted: 'abgebrochen',
  megabytes: (count) => `${count} MB`,
  recovered: (count) =>
    count === 1
      ? 'Eine abgebrochene Aufzeichnung wurde aufbewahrt. Sie lässt sich unten exportieren oder löschen.'
      : `${count} abgebrochene Aufzeichnungen wurden aufbewahrt. Sie lassen sich unten exportieren oder löschen.`,
  csv: 'CSV',
  json: 'JSON',
  remove: 'Löschen',
  csvOf: (name) => `${name} als CSV exportieren`,
  jsonOf: (name) => `${name} als JSON exportieren`,
  removeOf: (name) => `${name} löschen`,
  kept: (count) => (count === 1 ? '1 aufbewahrte Aufzeichnung' : `${count} aufbewahrte Aufzeichnungen`),
  deleted: 'Gelöscht',
};
