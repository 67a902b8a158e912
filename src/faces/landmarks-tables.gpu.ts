/** A landmark model as textures (glsl/faces/landmarks-*.frag), uploaded once an engine and kept while it is in use. */
import type { LeafForm, PackedLandmarks } from '../models/landmarks.ts';
import type { GpuSide, Texture, TextureFormat } from '../runtime/gpu/gpu-side.ts';
import { formats } from '../runtime/gpu/gpu-formats.ts';
import type { Scope } from '../runtime/scope.ts';
import { KeptModels } from './kept-models.ts';

/** Texels of a row, as in the shaders; every device has textures of this width. */
const WIDTH = 2048;
/** Bytes of a model that is worth keeping; smaller ones are uploaded each time. */
const LARGE = 1 << 16;

export interface LandmarkTables {
  /** The mean shape about its center over its spread, as whole numbers: the similarity is a sum of products with it. */
  readonly weights: Texture<'rg32i'>;
  /** They are times 2^-exponent; null: the mean shape has no spread, and nothing turns. */
  readonly exponent: number | null;
  /** Point that a feature pixel hangs on, and where it lies from there. */
  readonly pixels: Texture<'rgba32ui'>;
  /** Two numbers of pixels, and the threshold's bits. */
  readonly splits: Texture<'rg32ui'>;
  readonly leaves: Texture<'rg32ui' | 'rg16ui' | 'rg8ui'>;
  readonly scales: Texture<'u32'> | null;
}

export const leafFormat = { exact: 'rg32ui', '16-bit': 'rg16ui', '8-bit': 'rg8ui' } as const satisfies Record<
  LeafForm,
  TextureFormat
>;

const rowsOf = (texels: number) => Math.ceil(texels / WIDTH);

/** Whether this device's textures hold the model. */
export function landmarksFit(gpu: GpuSide, { points, cascades, trees, depth, pixels }: PackedLandmarks): boolean {
  const leaves = cascades * trees * 2 ** depth;
  return gpu.fits(Math.max(points, trees), Math.max(rowsOf(leaves * points), rowsOf(cascades * pixels)));
}

/** Times 2^exponent: the largest of them with 30 bits. */
function weightsOf({ mean, points }: PackedLandmarks): { weights: Int32Array; exponent: number | null } {
  const weights = new Int32Array(2 * points);
  const center = [0, 1].map((k) => mean.reduce((sum, v, i) => (i % 2 === k ? sum + v : sum), 0) / points);
  const about = Float64Array.from(mean, (v, i) => v - center[i % 2]!);
  const spread = about.reduce((sum, v) => sum + v * v, 0);
  if (!(spread > 0)) return { weights, exponent: null };
  const largest = about.reduce((most, v) => Math.max(most, Math.abs(v)), 0) / spread;
  const exponent = 29 - Math.floor(Math.log2(largest));
  weights.set(about.map((v) => Math.round((v / spread) * 2 ** exponent)));
  return { weights, exponent };
}

function upload<F extends TextureFormat>(gpu: GpuSide, width: number, format: F, bytes: Uint8Array): Texture<F> {
  const row = width * formats[format].bytes;
  const rows = Math.ceil(bytes.length / row);
  const texture = gpu.allocate(width, rows, format);
  let whole = bytes;
  if (bytes.length < rows * row) {
    whole = new Uint8Array(rows * row);
    whole.set(bytes);
  }
  gpu.upload(texture, whole, row);
  return texture;
}

const bytesOf = ({ buffer }: Int32Array | Uint32Array) => new Uint8Array(buffer);

function make(gpu: GpuSide, model: PackedLandmarks): LandmarkTables {
  const { points, cascades, trees, depth, pixels, payload, form } = model;
  // Where src/models/landmarks.ts has its sections: mean shape, anchors, deltas, splits, scales, leaves.
  const words = new Uint32Array(payload.buffer, payload.byteOffset, 16);
  const section = (i: number, bytes: number) => payload.subarray(words[8 + i]!, words[8 + i]! + bytes);
  const count = cascades * pixels;
  const { buffer, byteOffset } = payload;
  const anchors = new Uint16Array(buffer, byteOffset + words[9]!, count);
  const deltas = new Uint32Array(buffer, byteOffset + words[10]!, 2 * count);
  const features = new Uint32Array(4 * count);
  anchors.forEach((anchor, i) => features.set([anchor, deltas[2 * i]!, deltas[2 * i + 1]!], 4 * i));
  const leaves = cascades * trees * 2 ** depth;
  const format = leafFormat[form];
  const { weights, exponent } = weightsOf(model);
  const made: Texture[] = [];
  const table = <F extends TextureFormat>(width: number, kind: F, bytes: Uint8Array): Texture<F> => {
    const texture = upload(gpu, width, kind, bytes);
    made.push(texture);
    return texture;
  };
  try {
    return {
      exponent,
      weights: table(points, 'rg32i', bytesOf(weights)),
      pixels: table(WIDTH, 'rgba32ui', bytesOf(features)),
      splits: table(WIDTH, 'rg32ui', section(3, 8 * cascades * trees * (2 ** depth - 1))),
      leaves: table(WIDTH, format, section(5, formats[format].bytes * leaves * points)),
      scales: form === 'exact' ? null : table(WIDTH, 'u32', section(4, 4 * leaves)),
    };
  } catch (error) {
    for (const texture of made) gpu.release(texture);
    throw error;
  }
}

const texturesOf = ({ weights, pixels, splits, leaves, scales }: LandmarkTables): Texture[] => [
  ...[weights, pixels, splits, leaves],
  ...(scales ? [scales] : []),
];

function free(gpu: GpuSide | null, tables: LandmarkTables): void {
  if (gpu) for (const texture of texturesOf(tables)) gpu.release(texture);
}

/** Tables that are made again where they went with a lost context. */
const kept = new KeptModels<{ tables: LandmarkTables }>(
  ({ gpu }, model) => ({ tables: make(gpu!, model) }),
  ({ gpu }, { tables }) => free(gpu, tables),
);

/** Tables of a model, at least as long as the scope. */
export function tablesOf(scope: Scope, model: PackedLandmarks): LandmarkTables {
  const { gpu } = scope;
  if (model.payload.length >= LARGE) {
    const own = kept.of(scope, model);
    if (own.tables.weights.lost) own.tables = make(gpu, model);
    return own.tables;
  }
  const tables = make(gpu, model);
  scope.own({ dispose: () => free(gpu, tables) });
  return tables;
}
