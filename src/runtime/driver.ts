/**
 * Runs plans. Only this module cuts work into slices, spreads it over threads, cancels it and waits for asynchronous
 * steps. A kernel over rows is cut by its speed on this machine so far, so that a slice ends in time. The resulting
 * bytes do not depend on the cuts.
 */
import { FoveolaError } from './error.ts';
import { KernelStep, Together, Turn, Wait, type Plan, type Step } from './wasm/kernel-step.ts';
import { kernelError } from './wasm/kernels.ts';
import type { ThreadPool } from './wasm/thread-pool.ts';

/** Length of one slice and of one kernel piece, ms. */
export const SLICE = 8;
const PIECE = 4;
/** Assumed work per millisecond (see Rows.cost) of a kernel that has not been measured yet. */
const FIRST_RATE = 20_000;
/** Clock resolution of some browsers, ms. */
const TICK = 0.1;

/** Yields the thread. */
export interface Pauses {
  /** Resolves when the next slice may begin. Rejects after a cancel. */
  pause(): Promise<void>;
}

export class Driver {
  readonly #pool: ThreadPool;
  /** Work per millisecond by kernel, over all threads. */
  readonly #rates: number[] = [];

  constructor(pool: ThreadPool) {
    this.#pool = pool;
  }

  /** Runs a plan to its end, with pauses. */
  async run<T>(plan: Plan<T>, pauses?: Pauses): Promise<T> {
    return this.#rest(plan, plan.next(), pauses);
  }

  /**
   * Runs synchronously if the plan takes less than a slice and waits for nothing. Otherwise the rest runs with pauses.
   */
  start<T>(plan: Plan<T>, pauses: Pauses): T | Promise<T> {
    const begun = performance.now();
    let outcome = plan.next();
    while (!outcome.done) {
      const step = outcome.value;
      if (step instanceof Wait || performance.now() - begun >= SLICE) return this.#rest(plan, outcome, pauses, begun);
      try {
        if (!this.#step(step, true)) continue;
      } catch (error) {
        outcome = plan.throw(error);
        continue;
      }
      outcome = plan.next();
    }
    return outcome.value;
  }

  async #rest<T>(plan: Plan<T>, from: IteratorResult<Step, T>, pauses?: Pauses, since = performance.now()): Promise<T> {
    let begun = since;
    let outcome = from;
    while (!outcome.done) {
      const step = outcome.value;
      try {
        if (pauses && performance.now() - begun >= SLICE) {
          await pauses.pause();
          begun = performance.now();
        }
        if (step instanceof Wait) {
          const asked = performance.now();
          step.result = await step.promise;
          // The thread was free, but a cancel may have arrived.
          if (pauses && performance.now() - asked >= SLICE) await pauses.pause();
          begun = performance.now();
        } else if (!this.#step(step, pauses !== undefined)) continue;
      } catch (error) {
        outcome = plan.throw(error);
        continue;
      }
      outcome = plan.next();
    }
    return outcome.value;
  }

  /** Runs a plan to its end synchronously, for plans that wait for nothing. */
  now<T>(plan: Plan<T>): T {
    let outcome = plan.next();
    while (!outcome.done) {
      const step = outcome.value;
      try {
        if (step instanceof Wait)
          throw new FoveolaError(
            'internal',
            'This plan is asynchronous and cannot run synchronously. Use createEngine().',
          );
        this.#step(step, false);
      } catch (error) {
        outcome = plan.throw(error);
        continue;
      }
      outcome = plan.next();
    }
    return outcome.value;
  }

  /** Runs one step to its end, for callers that drive a plan by hand (tests of failures). */
  step(step: KernelStep | Together): void {
    this.#step(step, false);
  }

  /** Runs a step, or a piece of it. Returns whether the step is done. */
  #step(step: Exclude<Step, Wait>, inPieces: boolean): boolean {
    if (step instanceof Turn) return true;
    if (step instanceof Together) {
      this.#pool.each(
        step.steps[0]!.entry,
        step.steps.map(({ args }) => args),
      );
      return true;
    }
    const { entry, args } = step;
    if (entry.rows) return this.#rows(step, inPieces);
    const result = entry.scratch ? entry.run(...args, this.#pool.scratch(step.scratchBytes)) : entry.run(...args);
    if (entry.value) step.result = result;
    else if (result !== 0) throw kernelError(entry.name, result);
    return true;
  }

  #rows(step: KernelStep, inPieces: boolean): boolean {
    const { entry, args, over } = step;
    const { minimumBand = 16, bands } = over!;
    const rows = step.end - step.at;
    if (rows <= 0) return true;
    let piece = rows;
    const { cost } = step;
    if (inPieces) {
      const rate = this.#rates[entry.index] ?? FIRST_RATE * this.#pool.threads;
      piece = Math.max(minimumBand * this.#pool.threads, Math.floor((PIECE * rate) / cost));
      if (piece * 1.5 > rows) piece = rows;
    }
    const begun = inPieces ? performance.now() : 0;
    const end = step.at + piece;
    this.#pool.bands(entry, end, args, minimumBand, step.scratchBytes, step.at, bands);
    step.at = end;
    if (inPieces) {
      const work = piece * cost;
      const rate = work / Math.max(TICK, performance.now() - begun);
      // Small calls are not reliable measurements, because the clock is coarse.
      if (work > 4096) this.#rates[entry.index] = rate;
    }
    return end === step.end;
  }
}
