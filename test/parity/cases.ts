/** What the parity test feeds to a stage: sizes, parameters and contents, all from one seed. */
import type { Parameter, ParameterTable } from '../../src/runtime/parameters.ts';
import type { PlaneFormat } from '../../src/runtime/plane.ts';
import type { Kind } from '../../src/runtime/stage.ts';
import type { ReferenceImage, ReferenceValue } from '../reference/image.ts';

export type Params = Record<string, number | boolean | string>;

/** Mulberry32: numbers in [0, 1). */
export function generator(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A seed for a name, so that a new stage does not change the cases of the others (FNV-1a). */
export function seedOf(name: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/** Single pixels, lines, SIMD and block borders; then fuzzed ones from 1 to 67. */
export function smallSizes(random: () => number): [number, number][] {
  const fuzzed = Array.from({ length: 10 }, (): [number, number] => [
    1 + Math.floor(67 * random()),
    1 + Math.floor(67 * random()),
  ]);
  return [[1, 1], [2, 3], [67, 1], [1, 67], [15, 16], [16, 17], [33, 8], [64, 65], ...fuzzed];
}

/** Across the borders of texture rows, of bands of rows and of blocks of 8^4 samples. */
export const borderSizes: [number, number][] = [
  [4095, 1],
  [4096, 2],
  [4097, 3],
  [1, 4096],
  [2, 4097],
  [129, 127],
  [63, 257],
  [258, 33],
  [66, 35],
];

function sample(p: Parameter, random: () => number): number | boolean | string {
  if (p.type === 'boolean') return random() < 0.5;
  if (p.type === 'choice') return p.values[Math.floor(random() * p.values.length)]!;
  if (p.values) return p.values[Math.floor(random() * p.values.length)]!;
  const where = random();
  if (where < 0.1) return p.min;
  if (where > 0.9) return p.max;
  const value = p.min + random() * (p.max - p.min);
  return p.integer ? Math.round(value) : value;
}

/** The defaults where `i` is 0, else a sample of the table. */
export function parameters(table: ParameterTable, i: number, random: () => number): Params {
  return Object.fromEntries(Object.entries(table).map(([name, p]) => [name, i === 0 ? p.default : sample(p, random)]));
}

const contents = ['noise', 'ramp', 'sparse', 'flat', 'blobs'] as const;

/** Makes a value of a kind that is no plane, for a stage of its own: (width, height, case, random). */
export type MakeInput = (width: number, height: number, i: number, random: () => number) => ReferenceValue;

const formats: readonly string[] = ['u8', 'u16', 'i16', 'u32', 'i32', 'f32', 'rgba8'];

/** The inputs of a stage: planes by their format, other kinds as `makers` say. */
export function inputsOf(
  { name, inputs }: { name: string; inputs: readonly Kind[] },
  makers: Readonly<Record<string, MakeInput>>,
  [width, height]: readonly [number, number],
  i: number,
  random: () => number,
): ReferenceValue[] {
  return inputs.map((kind, k) => {
    const make = makers[`${name} ${k}`] ?? makers[kind];
    if (make) return make(width, height, i, random);
    if (formats.includes(kind)) return input(width, height, kind as PlaneFormat, i, random);
    throw new Error(`${name}: test/parity/makers.ts says nothing of input ${k}, a ${kind}.`);
  });
}

/** Samples of a format in one of five manners; floats are of order 1. */
export function input(
  width: number,
  height: number,
  format: PlaneFormat,
  i: number,
  random: () => number,
): ReferenceImage {
  const manner = contents[i % contents.length]!;
  const flat = random() < 0.3 ? 255 : Math.floor(random() * 256);
  const fx = 0.05 + random();
  const fy = 0.05 + random();
  const level = (x: number, y: number): number => {
    if (manner === 'noise') return random() * 256;
    if (manner === 'ramp') return (x * 3 + y * 5) % 256;
    if (manner === 'sparse') return random() < 0.1 ? random() * 256 : 0;
    if (manner === 'flat') return flat;
    return Math.sin(x * fx) + Math.sin(y * fy) > 0.4 ? 200 + random() * 20 : 30;
  };
  const channels = format === 'rgba8' ? 4 : 1;
  const count = width * height * channels;
  const values = Array.from({ length: count }, (_, k) =>
    level(Math.floor(k / channels) % width, Math.floor(k / channels / width)),
  );
  const scaled = (factor: number, offset = 0) => values.map((v) => Math.floor(v * factor) + offset);
  const data =
    format === 'u8' || format === 'rgba8'
      ? Uint8Array.from(scaled(1))
      : format === 'u16'
        ? Uint16Array.from(scaled(256))
        : format === 'i16'
          ? Int16Array.from(scaled(256, -32768))
          : format === 'u32'
            ? // With zeros, for those stages that look for them.
              Uint32Array.from(values.map((v) => (v < 1 ? 0 : Math.floor(v * 16777216))))
            : format === 'i32'
              ? Int32Array.from(scaled(16777216, -2147483648))
              : Float32Array.from(values, (v) => v / 256);
  return { width, height, format, data };
}
