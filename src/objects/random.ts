/** xorshift32 (Marsaglia 2003): the same numbers in every browser and in the kernels, so that a seed fixes a track. */
/** What a seed begins with. */
export const randomState = (seed: number): number => (Math.imul(seed | 0, 2654435761) ^ 0x9e3779b9) | 0 || 1;

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = randomState(seed);
  }

  /** Uniform 32 bits. */
  bits(): number {
    let s = this.#state;
    s ^= s << 13;
    s ^= s >>> 17;
    s ^= s << 5;
    this.#state = s;
    return s >>> 0;
  }

  /** Uniform in [0, 1). */
  uniform(): number {
    return this.bits() / 4294967296;
  }

  /** Whole, 0..n-1. */
  below(n: number): number {
    return Math.floor(this.uniform() * n);
  }
}
