/** The page of `bench speed inpaint`: fillings on one thread and on two, turn about. */
import type { Engine } from '../../../src/api.ts';
import { createEngine } from '../../../src/engine.ts';

export interface Times {
  patches: number;
  /** Milliseconds, wall clock, by the number of threads. */
  one: number[];
  two: number[];
}

async function picture(address: string, width: number, height: number): Promise<ImageData> {
  const bitmap = await createImageBitmap(await (await fetch(address)).blob());
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  return context.getImageData(0, 0, width, height);
}

/** A hole of `side` in the middle of the photograph at `address`, scaled to width x height. */
export async function threads(
  address: string,
  width: number,
  height: number,
  side: number,
  variant: 'paper' | 'seamless',
  rounds: number,
): Promise<Times> {
  const image = await picture(address, width, height);
  const mask = { width, height, data: new Uint8Array(width * height) };
  const [left, top] = [(width - side) >> 1, (height - side) >> 1];
  for (let y = top; y < top + side; y++) mask.data.fill(255, y * width + left, y * width + left + side);
  const times: Times = { patches: 0, one: [], two: [] };
  const where = { backend: 'wasm', worker: true, assetBase: '/isolated/dist/' } as const;
  const engines: [keyof Times & ('one' | 'two'), Engine][] = [
    ['one', await createEngine({ ...where, threads: 1 })],
    ['two', await createEngine({ ...where, threads: 2 })],
  ];
  if (engines[1]![1].capabilities.threads !== 2) throw new Error('this page has no threads');
  for (let round = 0; round <= rounds; round++)
    for (const [name, engine] of engines) {
      let patches = 0;
      const start = performance.now();
      await engine.inpaint(image, mask, { variant, onProgress: () => patches++ });
      if (round) times[name].push(performance.now() - start); // the first one compiles
      times.patches = patches;
    }
  for (const [, engine] of engines) await engine.dispose();
  return times;
}
