/** A search over the tiles of one image, as src/pupil/search/search.ts sets it up. */
import { gaussianTaps } from '../../../src/image/gaussian.ts';
import { pupilParameters, type PupilValues } from '../../../src/pupil/parameters.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import { strideOf } from '../../../src/runtime/plane.ts';
import type { Plan } from '../../../src/runtime/wasm/kernel-step.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import type { Scope } from '../../../src/runtime/scope.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import { hardFrame } from '../../../lab/eyes/index.ts';
import { generator } from '../../parity/cases.ts';
import { SearchMemory, testing, type Gray } from '../search-memory.ts';

export const valuesOf = (given: Partial<PupilValues>): PupilValues => resolveParameters(pupilParameters, given, 'test');

export interface Prepared {
  search: SearchMemory;
  blurred: Uint8Array;
  mask: Uint8Array;
}

function* tileRoom(scope: Scope): Plan<number> {
  return yield* scope.kernels.tileRoom({});
}

function* computeTiles(scope: Scope, { state }: SearchMemory): Plan<number> {
  return yield* testing(scope).kernels.computeTiles({ search: state });
}

/** Computes every tile of an image. The planes begin with other bytes than any result, to show what is not written. */
export function prepareTiles(runtime: Runtime, image: Gray, values: PupilValues): Prepared {
  const { width, height } = image;
  const search = new SearchMemory(runtime);
  const stride = strideOf(width, 'u8');
  const padded = new Uint8Array(stride * height).fill(171); // what lies behind a row's end must not matter
  for (let y = 0; y < height; y++) padded.set(image.data.subarray(y * width, (y + 1) * width), y * stride);
  const across = Math.ceil(width / 64);
  const down = Math.ceil(height / 64);
  const blurred = search.store(new Uint8Array(stride * height).fill(99));
  const mask = search.store(new Uint8Array(stride * height).fill(99));
  search.set({
    source: search.store(padded),
    stride,
    width,
    height,
    blurred,
    mask,
    planeStride: stride,
    tiles: search.store(new Uint8Array(across * down)),
    tilesAcross: across,
    tilesDown: down,
    blocks: search.store(new Uint32Array(Math.ceil(width / 16) * Math.ceil(height / 16))),
    blocksAcross: Math.ceil(width / 16),
    tileRoom: search.room(driveNow(runtime, tileRoom)),
    x1: width,
    y1: height,
    gaussian: search.store(Uint16Array.from(gaussianTaps(values.gaussianSize, values.gaussianSigma))),
    gaussianSize: values.gaussianSize,
    reflectionSize: values.reflections === 'none' ? 0 : values.reflectionSize,
    reflectionThreshold: values.reflectionThreshold,
    reflectionDilation: values.reflectionDilation,
  });
  driveNow(runtime, (scope) => computeTiles(scope, search));
  return {
    search,
    blurred: search.bytes(blurred, stride, width, height),
    mask: search.bytes(mask, stride, width, height),
  };
}

let eye: Gray | null = null;

export const contents = ['noise', 'gradient', 'spots', 'eye'] as const;

/** An image of one kind: noise, a slope, small bright spots on gray, a part of a rendered eye with reflections. */
export function imageOf(kind: (typeof contents)[number], width: number, height: number, seed: number): Gray {
  const random = generator(seed);
  const data = new Uint8Array(width * height);
  const source = (eye ??= hardFrame(1));
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++)
      if (kind === 'noise') data[i] = 256 * random();
      else if (kind === 'gradient') data[i] = 20 + ((x + 2 * y) >> 2);
      else if (kind === 'spots') data[i] = random() < 0.004 ? 250 : 60 + 8 * random();
      else data[i] = source.data[((y + 140) % source.height) * source.width + ((x + 220) % source.width)]!;
  return { width, height, data };
}
