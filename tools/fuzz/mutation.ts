/** Changed files: a list of small changes that a seed and a number give again, so that each of them can be left out. */
export type Bytes = Uint8Array<ArrayBuffer>;
export type Random = () => number;

/** Mulberry32: the same numbers for the same seed, everywhere. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const below = (random: Random, limit: number): number => Math.floor(random() * limit);
export const oneOf = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)]!;

/** Numbers at which counts and sizes turn over. */
const borders = [0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];

export interface Change {
  kind: 'byte' | 'bit' | 'number' | 'remove' | 'repeat' | 'cut' | 'zeros';
  /** Share of the file, so that it stays about where it was when other changes are left out. */
  at: number;
  value: number;
  length: number;
  little: boolean;
}

const kinds: readonly Change['kind'][] = [
  'byte',
  'byte',
  'bit',
  'number',
  'number',
  'number',
  'remove',
  'repeat',
  'cut',
  'zeros',
];
const MOST = 6;

export function changesOf(random: Random): Change[] {
  return Array.from({ length: 1 + below(random, MOST) }, () => ({
    kind: oneOf(random, kinds),
    // Headers are where counts are.
    at: random() < 0.5 ? random() * 0.1 : random(),
    value: random() < 0.7 ? oneOf(random, borders) : below(random, 2 ** 32),
    length: oneOf(random, [1, 2, 4, 4, 8]),
    little: random() < 0.5,
  }));
}

export function changed(bytes: Bytes, changes: readonly Change[]): Bytes {
  let out = bytes.slice();
  for (const { kind, at, value, length, little } of changes) {
    if (!out.length) return out;
    const place = Math.min(out.length - 1, Math.floor(at * out.length));
    const rest = out.length - place;
    if (kind === 'byte') out[place] = value;
    else if (kind === 'bit') out[place]! ^= 1 << (value & 7);
    else if (kind === 'number') {
      for (let i = 0; i < Math.min(length, rest); i++)
        out[place + i] = Math.floor(value / 256 ** (little ? i : length - 1 - i)) & 255;
    } else if (kind === 'cut') out = out.slice(0, place);
    else {
      const count = Math.min(rest, 1 + (value % 64));
      const more = kind === 'remove' ? 0 : count;
      const before = out;
      out = new Uint8Array(before.length + (more || -count));
      out.set(before.subarray(0, place));
      if (kind === 'repeat') out.set(before.subarray(place, place + count), place);
      out.set(before.subarray(more ? place : place + count), place + more);
    }
  }
  return out;
}
