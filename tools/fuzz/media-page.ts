/**
 * What runs in the page while media are fuzzed as a page reads them: changed pictures by `readImage` and by a call of the
 * engine, changed recordings frame by frame and as a video element opens them. A trial fails over an error that is not one of
 * the library's own or is 'internal', where the two ways to a picture end in two manners, and where the page stands still.
 */
import type * as Library from '../../src/index.ts';
import { makeClip, steady } from '../../test/support/clips.ts';
import { dicomFile, pictureElements, syntaxes } from '../../test/support/dicom-writer.ts';
import { avif, bmp, gif } from '../../test/support/hostile-kinds.ts';
import { deepPng } from '../../test/support/png-writer.ts';
import { tiffFile } from '../../test/support/tiff-writer.ts';
import { type Bytes, changed, changesOf, oneOf, type Random } from './mutation.ts';
import { answerOf, type PageTrial, playTrials } from './page-trials.ts';

/** With the watchdogs of a reader and of a video element, ms. */
const SLOW = 25_000;
const OPENED = 18_000;
/** The page's own thread may stand still for so long, ms. */
const STILL = 1_000;
const LOOK = 50;

const library = () => (self as unknown as { foveola: typeof Library }).foveola;
const bytesOf = async (blob: Blob): Promise<Bytes> => new Uint8Array(await blob.arrayBuffer());

async function pictures(): Promise<Bytes[]> {
  const [width, height] = [13, 9];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  for (let x = 0; x < width; x++) {
    context.fillStyle = `rgb(${x * 19} ${255 - x * 11} 77)`;
    context.fillRect(x, 0, 1, height);
  }
  const data = Array.from({ length: width * height }, (_, i) => (i * 37) % 256);
  const encoded = ['image/png', 'image/jpeg', 'image/webp'].map((type) => canvas.convertToBlob({ type }).then(bytesOf));
  const elements = pictureElements(width, height);
  return Promise.all([
    ...encoded,
    gif([width, height], [width, height], 3),
    bmp(width, height),
    avif([[width, height]]),
    tiffFile([{ width, height, data, compression: 'lzw' }]),
    dicomFile({ syntax: syntaxes.explicit, elements, pixels: Uint8Array.from(data) }),
    deepPng({ width, height, data: data.map((value) => value * 200), colorType: 0 }),
  ]);
}

let images: Bytes[] = [];
let recordings: Bytes[] = [];
let engine: Library.Engine;
/** The longest time in which the page's thread stood still, since it was looked at last. */
let still = 0;

export async function begin(): Promise<void> {
  images = await pictures();
  const clips = [makeClip({ times: steady(6), width: 32, height: 24 })];
  clips.push(makeClip({ times: steady(6), width: 32, height: 24, format: 'mp4' }));
  recordings = await Promise.all((await Promise.all(clips)).map(bytesOf));
  engine = await library().createEngine({ backend: 'wasm' });
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    still = Math.max(still, now - last - LOOK);
    last = now;
  }, LOOK);
}

async function readPicture(bytes: Bytes): Promise<string> {
  const { readImage } = library();
  const read = await answerOf(() => readImage(new Blob([bytes])));
  const asked = await answerOf(() => engine.threshold(new Blob([bytes])));
  return read.code === asked.code ? '' : `readImage: ${read.code ?? 'read'}, engine: ${asked.code ?? 'read'}`;
}

async function readRecording(bytes: Bytes): Promise<string> {
  const { frames, openVideo } = library();
  await answerOf(async () => {
    for await (const { frame } of frames(new Blob([bytes]), { everyFrame: true })) (frame as VideoFrame).close();
  });
  const opened = await answerOf(() => openVideo(new Blob([bytes]), { signal: AbortSignal.timeout(OPENED) }));
  opened.value?.close();
  return opened.code === 'aborted' ? 'a video element neither opens nor refuses it' : '';
}

const make = (random: Random): PageTrial => {
  const film = random() < 0.4;
  const bytes = changed(oneOf(random, film ? recordings : images), changesOf(random));
  return {
    shown: btoa(String.fromCharCode(...bytes)).slice(0, 20_000),
    async run() {
      still = 0;
      const message = await (film ? readRecording : readPicture)(bytes);
      return message || (still > STILL ? `the page stood still for ${Math.round(still)} ms` : '');
    },
  };
};

export const play = (...given: [number, number, number, number]): ReturnType<typeof playTrials> =>
  playTrials(make, SLOW, given);
