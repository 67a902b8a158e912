/** The words of kept recordings, in English. */
export const words = {
  title: 'Recordings on this device',
  ask: 'Recordings can be kept on this device while they run, so that a crash or a closed tab loses at most the last second.',
  what: 'Kept are measurements, markers and settings, no pictures, until you delete them: here, or with the data of this site in the settings of the browser. Nothing leaves this device.',
  keep: 'Keep recordings on this device',
  keeping: 'Recordings are kept on this device while they run.',
  sealed: 'They are encrypted; only this page has the key.',
  full: "The device's storage is full. What was written is kept; the recording goes on in memory. Export it, then delete kept recordings.",
  failed: 'This recording is not kept on the device; it goes on in memory. Export it before you leave the page.',
  forget: 'Delete all and keep no more',
  sure: 'Really delete?',
  interrupted: 'broke off',
  megabytes: (count: string) => `${count} MB`,
  recovered: (count: number) =>
    count === 1
      ? 'A recording that broke off was kept. Export or delete it below.'
      : `${count} recordings that broke off were kept. Export or delete them below.`,
  csv: 'CSV',
  json: 'JSON',
  remove: 'Delete',
  csvOf: (name: string) => `Export CSV of ${name}`,
  jsonOf: (name: string) => `Export JSON of ${name}`,
  removeOf: (name: string) => `Delete ${name}`,
  kept: (count: number) => (count === 1 ? '1 kept recording' : `${count} kept recordings`),
  deleted: 'Deleted',
};

export type KeptWords = typeof words;
