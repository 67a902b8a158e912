/** English strings for multiple files. */
export const words = {
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

export type SeveralWords = typeof words;
