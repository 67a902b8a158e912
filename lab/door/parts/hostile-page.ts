/**
 * The page of `bench hostile door`: damaged and hostile files, each given to what a user gives it to, and how that is
 * answered. The built script is on the page as `foveola`.
 */
import { hostileImages, hostileRecordings } from '../../../test/support/hostile-files.ts';
import { hostileFilms, hostilePictures, hostileScans } from '../../../test/support/hostile-kinds.ts';
import type * as Foveola from '../../../src/index.ts';

declare const foveola: typeof Foveola;

/** Milliseconds after which a file counts as not answered. */
const LIMIT = 30_000;
/** How long an element that has answered is watched on: what is drawn, and what it still reads. */
const AFTER = 300;
/** Between two looks at the clock; the longest gap is how long the page stood still. */
const TICK = 10;

const kept: File[] = [];
const endings: Readonly<Record<string, string>> = {
  TIFF: 'tif',
  DICOM: 'dcm',
  MP4: 'mp4',
  WebM: 'webm',
  QuickTime: 'mov',
};

/** Pictures of the largest size that elements take, and of what calls take: a few kilobytes each. */
const LARGEST = [4900, 6000];

async function plainPicture(side: number): Promise<File> {
  const canvas = new OffscreenCanvas(side, side);
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  context.fillStyle = '#765';
  context.fillRect(0, 0, side, side);
  return new File([await canvas.convertToBlob({ type: 'image/png' })], `PNG of ${side}x${side}.png`);
}

/** Names of all files: those made here, and those of these addresses. */
export async function make(addresses: readonly string[]): Promise<string[]> {
  for (const list of [hostileImages, hostilePictures, hostileScans, hostileRecordings, hostileFilms])
    for (const [name, bytes] of await list()) {
      const kind = name.split(':')[0]!;
      kept.push(new File([bytes], `${name.replace(/[^\w ]/g, '')}.${endings[kind] ?? kind.toLowerCase()}`));
    }
  for (const side of LARGEST) kept.push(await plainPicture(side));
  for (const address of addresses)
    kept.push(new File([await (await fetch(address)).arrayBuffer()], address.split('/').at(-1)!));
  return kept.map(({ name }) => name);
}

export interface Answer {
  readonly answer: string;
  readonly seconds: number;
  /** Longest time that the page's thread stood still, ms. */
  readonly still: number;
}

async function timed(work: () => Promise<string>): Promise<Answer> {
  const began = performance.now();
  let [last, still] = [began, 0];
  const look = () => {
    const now = performance.now();
    still = Math.max(still, now - last - TICK);
    last = now;
  };
  const timer = setInterval(look, TICK);
  const late = new Promise<string>((resolve) => setTimeout(resolve, LIMIT, 'none'));
  const answer = await Promise.race([work().catch(({ code, name }) => code ?? `!${name}`), late]);
  const seconds = (performance.now() - began) / 1000;
  await new Promise((resolve) => setTimeout(resolve, AFTER));
  look();
  clearInterval(timer);
  return { answer, seconds, still };
}

/** A file dropped on an element. */
export function drop(tag: string, index: number): Promise<Answer> {
  const element = document.createElement(tag);
  return timed(async () => {
    const answer = new Promise<string>((resolve) => {
      element.addEventListener('foveola-result', () => resolve('result'));
      element.addEventListener('foveola-error', (event) =>
        resolve((event as CustomEvent<{ code: string }>).detail.code),
      );
      // A target is marked by hand: there the picture is the answer.
      if (tag === 'foveola-track')
        element.addEventListener(
          'foveola-state',
          () => (element as never as { state: string }).state === 'ready' && resolve('shown'),
        );
    });
    element.setAttribute('controls', '');
    document.body.append(element);
    await (element as HTMLElement & { updateComplete: Promise<unknown> }).updateComplete;
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(kept[index]!);
    const base = element.shadowRoot!.querySelector('.base')!;
    base.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true, composed: true }));
    return answer;
  }).finally(() => element.remove());
}

/** A file read as a picture, and its edges. */
export const asPicture = (index: number): Promise<Answer> =>
  timed(async () => {
    const engine = await foveola.createEngine();
    try {
      await engine.canny(kept[index]!);
    } finally {
      await engine.dispose();
    }
    return 'result';
  });

/** Every frame of a file. */
export const asRecording = (index: number): Promise<Answer> =>
  timed(async () => {
    for await (const { frame } of foveola.frames(kept[index]!, { everyFrame: true })) frame.close();
    return 'result';
  });
