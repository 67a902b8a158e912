/** The loop of what is fuzzed in a page: trial after trial by their numbers, for a share of the time. */
import { type Random, randomOf } from './mutation.ts';

export interface PageTrial {
  /** What to print of a failure. */
  readonly shown: string;
  /** What is wrong, or ''; an exception is wrong as well. */
  run(): Promise<string>;
}

export interface Failure {
  number: number;
  message: string;
  shown: string;
}

/** Of an answer that is refused: its code, where the error is one of ours and no fault; else it is thrown. */
export function codeOf(error: unknown): string {
  const { name, code, message = String(error) } = error as { name?: string; code?: string; message?: string };
  if (name !== 'FoveolaError' || code === 'internal') throw new Error(`${name} ${code}: ${message}`);
  return code!;
}

/** A result, or the code with which it was refused. */
export async function answerOf<T>(work: () => T): Promise<{ value?: Awaited<T>; code?: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    return { code: codeOf(error) };
  }
}

/** Trials from this number on for so many milliseconds: the number of the next one, and what failed. */
export async function playTrials(
  make: (random: Random) => PageTrial,
  slow: number,
  [seed, from, to, milliseconds]: readonly [number, number, number, number],
): Promise<{ next: number; failures: Failure[] }> {
  const failures: Failure[] = [];
  const end = performance.now() + milliseconds;
  let number = from;
  for (; number < to && performance.now() < end; number++) {
    const trial = make(randomOf(seed + 7919 * number));
    const began = performance.now();
    let message: string;
    try {
      message = await trial.run();
    } catch (error) {
      message = String((error as Error).message ?? error);
    }
    const took = performance.now() - began;
    if (took > slow) message ||= `took ${(took / 1000).toFixed(1)} s`;
    if (message) failures.push({ number, message: message.slice(0, 300), shown: trial.shown });
  }
  return { next: number, failures };
}
