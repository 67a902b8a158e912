/**
 * One call of a kernel as a step of a plan. A plan writes `yield* scope.kernels.erode({ source, target, ... }, { rows
 * })`. The driver runs the step, cut into slices and spread over threads (src/runtime/driver.ts).
 */
import { FoveolaError, onlyGpu } from '../error.ts';

/** A number for a kernel. true is 1. */
export type Scalar = number | boolean;
/** An address of the linear memory, or an object with an address: a plane on the arena, a record, a block. */
export type Address = number | { readonly address: number };
/** Rows of samples: a plane on the arena, or the location of one. */
export interface Image {
  readonly address: number;
  /** Bytes from one row to the next. */
  readonly stride: number;
}

/** The rows that a kernel processes, and how they may be split. */
export interface Rows {
  /** A number of rows starting at 0, or [first, end). */
  readonly rows: number | readonly [number, number];
  /** Minimum number of rows for which a separate band is worthwhile. Default 16. */
  readonly minimumBand?: number;
  /** Bands per thread. Two balance the load on a shared machine. Use more if the cost differs much between rows. */
  readonly bands?: number;
  /** Work per row, in any unit that is the same for each call of this kernel. Default: its width. */
  readonly cost?: number;
}

/** Entry of a kernel in the module's table (tools/kernel-border.mjs). */
export interface KernelEntry {
  readonly name: string;
  readonly index: number;
  readonly run: (...args: number[]) => number;
  /** Arguments by name. Names that end with / are images. */
  readonly args: readonly string[];
  readonly rows: boolean;
  readonly scratch: boolean;
  readonly value: boolean;
  /** Computes the bytes of scratch from some of the arguments, given by their places in the call. */
  readonly scratchBytes: { readonly run: (...args: number[]) => number; readonly places: readonly number[] } | null;
  /** Place of `width` in the call, or -1 if it has none. */
  readonly width: number;
}

/** `yield* call` returns the kernel's result. */
export interface Call<R> {
  [Symbol.iterator](): Iterator<Step, R, unknown>;
}

/** The values that a plan yields and the driver handles. */
export type Step = KernelStep | Together | Wait | Turn;

let strict = false;
/** For tests: makes the code refuse arguments that a kernel does not have. The types refuse them as well. */
export function refuseUnknownArguments(): void {
  strict = true;
}

function wrong({ name, args }: KernelEntry, given: Readonly<Record<string, unknown>>): FoveolaError {
  const expected = args.map((argument) => argument.replace('/', ''));
  return new FoveolaError(
    'internal',
    `Kernel '${name}' needs (${expected.join(', ')}), not (${Object.keys(given).join(', ')}).`,
  );
}

function flatten(entry: KernelEntry, given: Readonly<Record<string, unknown>>): number[] {
  const { args } = entry;
  const list: number[] = [];
  for (let i = 0; i < args.length; i++) {
    const name = args[i]!;
    if (name.endsWith('/')) {
      const image = given[name.slice(0, -1)] as Image | undefined;
      if (!image) throw wrong(entry, given);
      list.push(image.address, image.stride);
      continue;
    }
    const value = given[name];
    if (typeof value === 'number') list.push(value);
    else if (typeof value === 'boolean') list.push(+value);
    else if (value) list.push((value as { address: number }).address);
    else throw wrong(entry, given);
  }
  if (strict && Object.keys(given).length !== args.length) throw wrong(entry, given);
  return list;
}

export class KernelStep implements Iterator<Step, unknown, unknown> {
  readonly entry: KernelEntry;
  readonly args: number[];
  readonly over: Rows | undefined;
  /** The next row, and the row after the last. */
  at = 0;
  end = 0;
  result: unknown;
  #given = false;

  constructor(entry: KernelEntry, given: Readonly<Record<string, unknown>>, over?: Rows) {
    this.entry = entry;
    this.args = flatten(entry, given);
    this.over = over;
    if (!entry.rows) return;
    const rows = over!.rows;
    if (typeof rows === 'number') this.end = rows;
    else [this.at, this.end] = rows;
  }

  get scratchBytes(): number {
    const { scratchBytes } = this.entry;
    return scratchBytes ? scratchBytes.run(...scratchBytes.places.map((i) => this.args[i]!)) : 64;
  }

  /** Work per row. */
  get cost(): number {
    const { width } = this.entry;
    return this.over?.cost ?? (width < 0 ? 1 : this.args[width]!);
  }

  [Symbol.iterator](): this {
    return this;
  }
  next(): IteratorResult<Step, unknown> {
    if (this.#given) return { done: true, value: this.result };
    this.#given = true;
    return { done: false, value: this };
  }
  /** A failure of the kernel is thrown where the plan waits for it. */
  throw(error: unknown): never {
    throw error;
  }
}

/** The same kernel for several plans at a time, each on a thread. */
export class Together {
  readonly steps: readonly KernelStep[];
  constructor(steps: readonly KernelStep[]) {
    this.steps = steps;
  }
}

/** A point at which the driver may yield the thread, in work that is done in TypeScript. */
export class Turn implements Call<void> {
  /** The amount of work until the next point, in steps of the plan: see goOn. */
  readonly work: number;
  constructor(work = 1) {
    this.work = work;
  }
  *[Symbol.iterator](): Generator<Step, void, unknown> {
    yield this;
  }
}

/** An asynchronous value: a read-back, or a plane that is being moved. */
export class Wait<T = unknown> implements Call<T> {
  readonly promise: PromiseLike<T> | T;
  result: unknown;
  constructor(promise: PromiseLike<T> | T) {
    this.promise = promise;
    // A failure belongs to the plan, which may first pause, or end for another reason.
    if (promise instanceof Promise) promise.catch(() => {});
  }
  *[Symbol.iterator](): Generator<Step, T, unknown> {
    yield this as Wait;
    return this.result as T;
  }
}

/** Steps that end with a result. Everything a plan creates through its scope is freed with the scope. */
export type Plan<T> = Generator<Step, T, unknown>;

/** Returns the result of a plan, or null if it fails for a reason that WASM does not have, such as a lost context. */
export function* unlessLost<T>(plan: Plan<T>): Plan<T | null> {
  try {
    return yield* plan;
  } catch (error) {
    if (onlyGpu(error)) return null;
    throw error;
  }
}

/** Runs plans in parallel: calls of the same kernel at the same time, on several threads. Null stays null. */
export function* together<T>(plans: readonly (Plan<T> | null)[]): Plan<(T | null)[]> {
  const results: (T | null)[] = plans.map(() => null);
  const open = new Map<Plan<T>, number>();
  const steps = new Map<Plan<T>, Step>();
  const take = (plan: Plan<T>) => {
    const { done, value } = plan.next();
    if (!done) return void steps.set(plan, value);
    results[open.get(plan)!] = value;
    open.delete(plan);
    steps.delete(plan);
  };
  plans.forEach((plan, i) => plan && open.set(plan, i));
  try {
    for (const plan of [...open.keys()]) take(plan);
    while (open.size) {
      const first = steps.values().next().value!;
      const same = [...steps].filter(([, step]) => step === first || mates(step, first));
      if (same.length > 1) yield new Together(same.map(([, step]) => step as KernelStep));
      else yield first;
      for (const [plan] of same) take(plan);
    }
  } catch (error) {
    for (const plan of open.keys()) fail(plan, error);
    throw error;
  }
  return results;
}

/**
 * Continues a plan until this amount of work is done (scope.turn). Returns its result if it has finished, otherwise
 * null.
 */
export function* goOn<T>(plan: Plan<T>, work: number): Plan<{ readonly value: T } | null> {
  let outcome = plan.next();
  while (!outcome.done) {
    const step = outcome.value;
    try {
      yield step;
    } catch (error) {
      outcome = plan.throw(error);
      continue;
    }
    if (step instanceof Turn && (work -= step.work) <= 0) return null;
    outcome = plan.next();
  }
  return { value: outcome.value };
}

const mates = (a: Step, b: Step) =>
  a instanceof KernelStep && b instanceof KernelStep && a.entry === b.entry && !a.entry.rows && !a.entry.scratch;

/** Lets a plan free its objects. The plan is expected to rethrow the error. */
function fail(plan: Plan<unknown>, error: unknown): void {
  try {
    plan.throw(error);
  } catch {
    // the same error
  }
}
