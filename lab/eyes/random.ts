import { normalQuantile } from './arithmetic.ts';

const QUANTILES = 4096;
let quantiles: Float32Array | null = null;

/** 4096 equally likely values of a standard normal distribution, unit variance. */
export function normalTable(): Float32Array {
  if (quantiles) return quantiles;
  const table = new Float32Array(QUANTILES);
  let sum = 0;
  for (let i = 0; i < QUANTILES / 2; i++) {
    const value = normalQuantile((i + 0.5) / QUANTILES);
    table[i] = value;
    table[QUANTILES - 1 - i] = -value;
    sum += 2 * value * value;
  }
  const scale = 1 / Math.sqrt(sum / QUANTILES);
  for (let i = 0; i < QUANTILES; i++) table[i] *= scale;
  return (quantiles = table);
}

/** Seeded generator (sfc32): the same numbers for the same words in every engine. */
export class Random {
  private a = 0;
  private b = 0;
  private c = 0;
  private counter = 1;

  constructor(...words: number[]) {
    this.a = words[0] | 0;
    this.b = (words[1] ?? 0x9e3779b9) | 0;
    this.c = (words[2] ?? 0x243f6a88) | 0;
    for (let i = 0; i < 15; i++) this.word();
  }

  /** 32 random bits as a signed integer. */
  word(): number {
    const t = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + t;
    this.c |= 0;
    return t;
  }

  /** Uniform in [0, 1). */
  unit(): number {
    return (this.word() >>> 0) / 4294967296;
  }

  uniform(low: number, high: number): number {
    return low + (high - low) * this.unit();
  }

  /** Integer in [low, high]. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  normal(mean = 0, sigma = 1): number {
    return mean + sigma * normalTable()[this.word() >>> 20];
  }

  pick<T>(values: readonly T[]): T {
    return values[this.integer(0, values.length - 1)];
  }
}
