/** English strings for saved recordings. */
export const words = {
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

export type KeptWords = typeof words;
