/** Strings of what loads on demand (player, saved recordings, lists of files) in the language of the element. */
import type { Strings } from '../strings/index.ts';

/** The English ones if the element has another language. */
export const inLanguage = <W>(words: { readonly en: W; readonly de: W }, { language }: Strings): W =>
  language.toLowerCase().split('-')[0] === 'de' ? words.de : words.en;

// Subject and session

const aboutEnglish = {
  title: 'Subject and session',
  hint: 'These fields enter file names, tables and reports. They are not stored, except in a settings file.',
  subject: 'Subject',
  session: 'Session',
  trial: 'Trial',
  note: 'Note',
  close: 'Close',
};

const aboutGerman: typeof aboutEnglish = {
  title: 'Person und Sitzung',
  hint: 'Diese Angaben stehen in Dateinamen, Tabellen und Berichten. Sie werden nur in einer Einstellungsdatei gespeichert.',
  subject: 'Person',
  session: 'Sitzung',
  trial: 'Durchgang',
  note: 'Notiz',
  close: 'Schließen',
};

export const aboutWords = { en: aboutEnglish, de: aboutGerman };

// Player

const playerEnglish = {
  timeline: 'Timeline',
  position: 'Position in the recording',
  of: (time: string, duration: string) => `${time} of ${duration}`,
  states: { unknown: 'not analyzed yet', found: 'found', lost: 'not found', blink: 'blink', closure: 'closed' },
  legend: { marker: 'marker', recorded: 'recorded', loop: 'loop' },
  marker: (label: string) => `marker ${label}`,
  playback: 'Playback',
  back: 'Previous frame',
  step: 'Next frame',
  rate: 'Playback rate',
  times: (rate: string) => `${rate}×`,
  loopFrom: 'Loop from here',
  loopTo: 'Loop up to here',
  loopOff: 'Stop looping',
  video: 'Video with overlay',
  faces: {
    show: 'Video with overlay, faces shown',
    pixelate: 'Video with overlay, faces pixelated',
    blur: 'Video with overlay, faces blurred',
    cover: 'Video with overlay, faces covered',
  },
  fullscreen: 'Full screen',
  floating: 'Picture in picture',
  chart: {
    keys: 'Arrow keys move the cursor, with Shift by ten samples. Plus and minus zoom, Page keys scroll, 0 shows all, Enter jumps to the cursor, C copies.',
    at: (time: string) => `${time} s`,
    nothing: 'nothing found',
    events: { blink: 'blink', closure: 'closed', loss: 'not found' },
    sure: (percent: string) => `confidence ${percent} %`,
    wider: 'Show more time',
    closer: 'Show less time',
    all: 'Show all',
    live: 'Show the last seconds',
    confidence: 'Confidence',
    view: 'View of the chart',
    copied: (rows: number) => (rows === 1 ? 'One sample copied' : `${rows} samples copied`),
    table: 'As a table',
    time: 'Time, s',
    event: 'Event',
  },
};

export type PlayerWords = typeof playerEnglish;

const playerGerman: PlayerWords = {
  timeline: 'Zeitleiste',
  position: 'Position in der Aufnahme',
  of: (time, duration) => `${time} von ${duration}`,
  states: {
    unknown: 'noch nicht ausgewertet',
    found: 'gefunden',
    lost: 'nicht gefunden',
    blink: 'Lidschlag',
    closure: 'geschlossen',
  },
  legend: { marker: 'Markierung', recorded: 'aufgezeichnet', loop: 'Wiederholung' },
  marker: (label) => `Markierung ${label}`,
  playback: 'Wiedergabe',
  back: 'Vorheriges Einzelbild',
  step: 'Nächstes Einzelbild',
  rate: 'Wiedergabegeschwindigkeit',
  times: (rate) => `${rate}×`,
  loopFrom: 'Ab hier wiederholen',
  loopTo: 'Bis hier wiederholen',
  loopOff: 'Wiederholung beenden',
  video: 'Video mit Einblendungen',
  faces: {
    show: 'Video mit Einblendungen, Gesichter sichtbar',
    pixelate: 'Video mit Einblendungen, Gesichter verpixelt',
    blur: 'Video mit Einblendungen, Gesichter unscharf',
    cover: 'Video mit Einblendungen, Gesichter verdeckt',
  },
  fullscreen: 'Vollbild',
  floating: 'Bild-in-Bild',
  chart: {
    keys: 'Pfeiltasten bewegen den Zeiger, mit der Umschalttaste um zehn Werte. Plus und Minus zoomen, Bild auf und Bild ab verschieben, 0 zeigt alles, die Eingabetaste springt zum Zeiger, C kopiert.',
    at: (time) => `${time} s`,
    nothing: 'nichts gefunden',
    events: { blink: 'Lidschlag', closure: 'geschlossen', loss: 'nicht gefunden' },
    sure: (percent) => `Konfidenz ${percent} %`,
    wider: 'Mehr Zeit zeigen',
    closer: 'Weniger Zeit zeigen',
    all: 'Alles zeigen',
    live: 'Die letzten Sekunden zeigen',
    confidence: 'Konfidenz',
    view: 'Ansicht des Diagramms',
    copied: (rows) => (rows === 1 ? 'Ein Wert kopiert' : `${rows} Werte kopiert`),
    table: 'Als Tabelle',
    time: 'Zeit, s',
    event: 'Ereignis',
  },
};

export const playerWords = { en: playerEnglish, de: playerGerman };

// Saved recordings

const keptEnglish = {
  title: 'Recordings on this device',
  ask: 'Recordings can be saved on this device while they run. A crash or closed tab then loses at most the last second.',
  what: 'Measurements, markers and settings are saved, but no images, until you delete them here or with the site data in the browser settings. Nothing leaves this device.',
  keep: 'Save recordings on this device',
  keeping: 'Recordings are saved on this device while they run.',
  sealed: 'They are encrypted. Only this page has the key.',
  full: "The device's storage is full. Recording continues in memory. Export it, then delete saved recordings.",
  failed: 'This recording is not saved on the device and continues in memory. Export it before you leave the page.',
  forget: 'Delete all and stop saving',
  sure: 'Really delete?',
  interrupted: 'interrupted',
  megabytes: (count: string) => `${count} MB`,
  recovered: (count: number) =>
    count === 1
      ? 'An interrupted recording was saved. Export or delete it below.'
      : `${count} interrupted recordings were saved. Export or delete them below.`,
  csv: 'CSV',
  json: 'JSON',
  remove: 'Delete',
  csvOf: (name: string) => `Export CSV of ${name}`,
  jsonOf: (name: string) => `Export JSON of ${name}`,
  removeOf: (name: string) => `Delete ${name}`,
  kept: (count: number) => (count === 1 ? '1 saved recording' : `${count} saved recordings`),
  deleted: 'Deleted',
};

export type KeptWords = typeof keptEnglish;

const keptGerman: KeptWords = {
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

export const keptWords = { en: keptEnglish, de: keptGerman };

// Multiple files

const severalEnglish = {
  title: 'Multiple files',
  counted: (done: number, all: number) => `${done} of ${all} files done`,
  failed: (count: number) => (count === 1 ? '1 file failed' : `${count} files failed`),
  none: 'These files contain no image or recording.',
  waiting: 'waiting',
  working: 'processing',
  percent: (percent: number) => `${percent} %`,
  done: 'done',
  frames: (count: number) => (count === 1 ? '1 frame' : `${count} frames`),
  cancelled: 'cancelled',
  cancel: 'Cancel',
  close: 'Close the list',
  csv: 'CSV',
  json: 'JSON',
  csvOf: (name: string) => `CSV of ${name}`,
  jsonOf: (name: string) => `JSON of ${name}`,
  show: (name: string) => `Show ${name}`,
  allCsv: 'All in one CSV',
  join: 'Open as one recording',
  rate: 'frames per second',
  reading: (done: number, all: number) => `${done} of ${all} images read`,
  allJson: 'All in one JSON',
};

export type SeveralWords = typeof severalEnglish;

const severalGerman: SeveralWords = {
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

export const severalWords = { en: severalEnglish, de: severalGerman };
