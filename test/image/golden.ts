/**
 * Golden figures of a capability: those in test/golden/<capability> always, all of ../shared/golden as well where the test
 * server has that folder.
 */
import type { PlaneArray } from '../../src/runtime/plane.ts';

export interface GoldenRecord {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly name?: string;
  /** In a case of test/golden: where the samples are. */
  readonly offset?: number;
  readonly file?: string;
  readonly json?: unknown;
  readonly generator?: string;
  /** In a case of test/golden on a photograph: the hash of the samples, for figures that are exact. */
  readonly sha256?: string;
  /** ... or a part of a photograph in test/media, its upper left corner at x, y. */
  readonly media?: string;
  readonly x?: number;
  readonly y?: number;
  /** ... or each so-manieth sample, for figures within a tolerance. */
  readonly every?: number;
}

export interface GoldenCase {
  readonly id: string;
  readonly group: string;
  readonly op: string;
  readonly params: Readonly<Record<string, number>>;
  readonly inputs: readonly GoldenRecord[];
  readonly expected: readonly GoldenRecord[];
  readonly tolerance: { readonly maxAbs: number };
  readonly border?: string;
  readonly results?: unknown;
}

type Samples = PlaneArray | Float64Array;
const arrays: Record<string, new (buffer: ArrayBufferLike, offset: number, length: number) => Samples> = {
  u8: Uint8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
};

export interface Golden {
  readonly cases: readonly GoldenCase[];
  samples(record: GoldenRecord): Promise<Samples>;
  json(record: GoldenRecord): Promise<unknown>;
}

const count = (record: GoldenRecord) => record.shape.reduce((a, b) => a * b, 1);
const stored = (record: GoldenRecord) => Math.ceil(count(record) / (record.every ?? 1));

/** What is wrong with samples, '' if nothing: against all figures, each so-manieth or their hash, as the record has them. */
export async function difference(
  golden: Golden,
  record: GoldenRecord,
  actual: ArrayLike<number>,
  tolerance = 0,
): Promise<string> {
  if (actual.length !== count(record)) return `${actual.length} samples instead of ${count(record)}`;
  if (record.sha256 && record.offset === undefined && !record.file) {
    // No sample of any kind is wider than 8 bytes.
    const bytes = new ArrayBuffer(8 * actual.length);
    const samples = new arrays[record.dtype]!(bytes, 0, actual.length);
    (samples as Uint8Array).set(actual);
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.slice(0, samples.byteLength)));
    const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
    return hex === record.sha256 ? '' : 'another hash of the samples';
  }
  const expected = await golden.samples(record);
  const every = record.every ?? 1;
  for (let i = 0; i < expected.length; i++)
    if (!(Math.abs(actual[i * every]! - expected[i]!) <= tolerance))
      return `${actual[i * every]} instead of ${expected[i]} at ${i * every}`;
  return '';
}

async function inflate(data: Blob | Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** An 8-bit, non-interlaced PNG without a palette, to its samples. */
async function decodePng(file: ArrayBuffer): Promise<Uint8Array> {
  const view = new DataView(file);
  const bytes = new Uint8Array(file);
  const width = view.getUint32(16);
  const height = view.getUint32(20);
  const channels = { 0: 1, 2: 3, 4: 2, 6: 4 }[bytes[25]!]!;
  const data: Uint8Array<ArrayBuffer>[] = [];
  for (let p = 8; p < file.byteLength; p += 12 + view.getUint32(p))
    if (String.fromCharCode(...bytes.subarray(p + 4, p + 8)) === 'IDAT')
      data.push(bytes.subarray(p + 8, p + 8 + view.getUint32(p)));
  const raw = await inflate(new Blob(data));
  const line = width * channels;
  const out = new Uint8Array(line * height);
  for (let y = 0; y < height; y++)
    for (let i = 0; i < line; i++) {
      const o = y * line + i;
      const a = i >= channels ? out[o - channels]! : 0;
      const b = y ? out[o - line]! : 0;
      const c = y && i >= channels ? out[o - line - channels]! : 0;
      const nearest = [a, b, c].reduce((best, v) => (Math.abs(a + b - c - v) < Math.abs(a + b - c - best) ? v : best));
      out[o] = raw[y * (line + 1) + 1 + i]! + [0, a, b, (a + b) >> 1, nearest][raw[y * (line + 1)]!]!;
    }
  return out;
}

async function partOf({ media, x, y, shape }: GoldenRecord): Promise<Uint8Array> {
  const file = await (await fetch(`/test/media/${media}`)).arrayBuffer();
  const width = new DataView(file).getUint32(16);
  const picture = await decodePng(file);
  const [rows, columns] = shape as [number, number];
  const at = (i: number) => width * (y! + Math.floor(i / columns)) + x! + (i % columns);
  return Uint8Array.from({ length: rows * columns }, (_, i) => picture[at(i)]!);
}

/** The figures that are part of the project. */
export async function ownGolden(capability = 'image'): Promise<Golden> {
  const at = (name: string) => new URL(`../golden/${capability}/${name}`, import.meta.url);
  const cases = (await (await fetch(at('cases.json'))).json()) as GoldenCase[];
  const data = await inflate(await (await fetch(at('data.bin'))).blob());
  return {
    cases,
    samples: async (r) => (r.media ? partOf(r) : new arrays[r.dtype]!(data.buffer, r.offset!, stored(r))),
    json: (r) => Promise.resolve(r.json),
  };
}

/** All figures of ../shared, or null where it is not there. */
export async function sharedGolden(): Promise<Golden | null> {
  const read = (name: string) => fetch(`/shared/golden/${name}`);
  const manifest = await read('manifest.json');
  if (!manifest.ok) return null;
  const { cases } = (await manifest.json()) as { cases: GoldenCase[] };
  return {
    cases,
    async samples(r) {
      const file = await (await read(r.file!)).arrayBuffer();
      return r.file!.endsWith('.png') ? decodePng(file) : new arrays[r.dtype]!(file, 0, count(r));
    },
    json: async (r) => (await read(r.file!)).json(),
  };
}

/** Those of the project, then all of ../shared where it is there. */
export async function allGolden(capability?: string): Promise<Golden[]> {
  const all = await sharedGolden();
  return [await ownGolden(capability), ...(all ? [all] : [])];
}
