/**
 * Reduction of an image for detection: bilinear with 8-bit weights, byte for byte OpenCV's INTER_LINEAR_EXACT. If an
 * image is made much smaller, it is first halved by means.
 */
import { roundEven } from '../image/numbers.ts';
import type { Surface, Texture } from '../runtime/gpu/gpu-backend.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { number } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Block, Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { halvePass, resizePass } from './cascade-passes.gpu.ts';

/** Per sample of the result: the left (upper) sample and the weight of its neighbor in 1/256. */
export function resizeTable(from: number, to: number): Int32Array {
  const table = new Int32Array(2 * to);
  const scale = from / to;
  for (let i = 0; i < to; i++) {
    const at = scale * (i + 0.5) - 0.5;
    const low = Math.floor(at);
    const inside = low >= 0 && low < from - 1;
    table[2 * i] = Math.min(Math.max(low, 0), from - 1);
    // Rounded to even, like the table in OpenCV.
    table[2 * i + 1] = inside ? roundEven((at - low) * 256) : 0;
  }
  return table;
}

/** Resizes to a new plane of width x height. */
export function* resizeExact(scope: Scope, source: Plane, width: number, height: number): Plan<Plane> {
  const target = scope.plane(width, height, 'u8');
  yield* scope.part((inner) => {
    const columns = inner.table(resizeTable(source.width, width));
    const rows = inner.table(resizeTable(source.height, height));
    return resizeBy(inner, source, target, columns, rows);
  });
  return target;
}

/** Resizes with tables of columns and rows. */
export function* resizeBy(scope: Scope, source: Plane, target: Plane, columns: Block, rows: Block): Plan<void> {
  const { width, height } = target;
  const given = { source, target, width, columns, rows, sourceHeight: source.height };
  yield* scope.kernels.resizeExact(given, { rows: height });
}

/** Size of the image with its long side at most `longest`. */
export function reducedSize(
  source: { width: number; height: number },
  longest: number,
): { width: number; height: number } {
  const scale = longest / Math.max(source.width, source.height);
  return {
    width: Math.max(1, Math.round(source.width * scale)),
    height: Math.max(1, Math.round(source.height * scale)),
  };
}

/**
 * Reduces the image so that its long side is at most `longest`. It is halved while possible, and the rest is bilinear.
 */
export function* reduceTo(scope: Scope, source: Plane, longest: number): Plan<Plane> {
  const { width, height } = reducedSize(source, longest);
  let image = source;
  while (image.width >= 2 * width && image.height >= 2 * height) {
    const target = scope.plane(image.width >> 1, image.height >> 1, 'u8');
    yield* scope.kernels.halve({ source: image, target, width: target.width }, { rows: target.height });
    if (image !== source) scope.free(image);
    image = target;
  }
  if (image !== source && image.width === width && image.height === height) return image;
  const out = yield* resizeExact(scope, image, width, height);
  if (image !== source) scope.free(image);
  return out;
}

/** Like reduceTo, on the GPU, byte for byte. The texture belongs to the scope. */
export function reduceOnGpu(scope: Scope, source: Plane, longest: number): Texture<'u8'> {
  const { width, height } = reducedSize(source, longest);
  const target = scope.texture(width, height, 'u8');
  reduceInto(scope, source, target);
  return target;
}

function reduceInto(scope: Scope, source: Plane, target: Surface): void {
  const { width, height } = target;
  scope.within((inner) => {
    let image: Surface = source;
    while (image.width >= 2 * width && image.height >= 2 * height) {
      const half: Texture<'u8'> = inner.texture(image.width >> 1, image.height >> 1, 'u8');
      inner.draw(halvePass, { targets: [half], textures: { source: image }, uniforms: {} });
      image = half;
    }
    const most = Math.max(width, height);
    const table = new Int16Array(4 * most);
    table.set(resizeTable(image.width, width));
    table.set(resizeTable(image.height, height), 2 * most);
    const tables = inner.texture(most, 2, 'rg16i');
    inner.gpu.upload(tables, new Uint8Array(table.buffer), 4 * most);
    const textures = { source: image, tables };
    inner.draw(resizePass, { targets: [target], textures, uniforms: { origin: [0, 0], row: 0 } });
  });
}

export const reduceSize = defineStage({
  name: 'faces/resize',
  params: {
    longest: number({
      default: 40,
      min: 1,
      max: 16384,
      integer: true,
      unit: 'px',
      effect: 'Longer side of the result.',
    }),
  },
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  *gpu(scope, [source], { longest }) {
    const { width, height } = reducedSize(source, longest);
    const out = scope.gpuPlane(width, height, 'u8');
    reduceInto(scope, source, out);
    return [out];
  },
  *wasm(scope, [source], { longest }) {
    return [yield* reduceTo(scope, source, longest)];
  },
});
