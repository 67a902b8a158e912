/**
 * Row bands over threads. The coordinator (the engine's worker) also computes. Helpers sleep in Atomics.wait between
 * jobs and claim bands with an atomic add, so a slow thread does not delay the others. Which thread computes a band
 * never changes its bytes.
 *
 * Waking a thread takes as long as a short job. The jobs of one operation follow each other within microseconds. So a
 * helper polls briefly for the next job before it sleeps, and the coordinator polls briefly for the last active helper.
 *
 * A job has a gate. Helpers enter while it is open. The coordinator closes it when no band is left and waits only for
 * the helpers inside. A helper that wakes too late finds it closed and continues to sleep, so a short job never waits
 * for a thread to wake.
 *
 * A helper that crashes inside never leaves the gate. The coordinator waits for a generous time and then gives up the
 * whole pool, because a helper that is only slow would write into memory that is already reused.
 *
 * Job block (shared memory, Int32 words): 0 generation, 1 kernel, 2 rows, 3 band, 4 next row, 5 gate (helpers inside,
 * and whether it is closed), 6 status, 7 number of arguments, 8 whether every row has separate arguments. The arguments
 * follow as float64, starting at byte 64.
 */
import { FoveolaError } from '../error.ts';
import type { Arena } from './arena.ts';
import type { KernelEntry } from './kernel-step.ts';
import { kernelError, type Kernels } from './kernels.ts';

const GENERATION = 0;
const KERNEL = 1;
const ROWS = 2;
const BAND = 3;
const NEXT = 4;
const GATE = 5;
const STATUS = 6;
const COUNT = 7;
const EACH = 8;
const JOB_BYTES = 512;
const STOP = -1;
const SHUT = 1 << 30;
/**
 * Time that a helper may need at the end of a job, and length of one wait, ms. After a suspend, only one wait expires.
 */
const HELPER_PATIENCE = 2500;
const WAIT = 50;
/** Time that a thread polls for a change before it sleeps, ms, and number of polls between two reads of the clock. */
const WATCH = 0.05;
const LOOKS = 64;

/** Data that a helper thread receives once, to join the pool. */
export interface ThreadStart {
  role: 'thread';
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  job: number;
  scratchTable: number;
  thread: number;
}

/** Starts one helper. Resolves when it waits for jobs. `failed` is called if it fails later. */
export type ThreadSpawn = (start: ThreadStart, failed: (why: string) => void) => Promise<{ terminate(): unknown }>;

/** Claims and computes bands until none is left. `words` and `doubles` view the job block's memory. */
function drain(kernels: Kernels, words: Int32Array, doubles: Float64Array, job: number, scratch: number): void {
  const w = job >> 2;
  const kernel = kernels.function(words[w + KERNEL]!);
  const rows = words[w + ROWS]!;
  const band = words[w + BAND]!;
  const count = words[w + COUNT]!;
  const each = words[w + EACH] === 1;
  const first = (job >> 3) + 8;
  const args = Array.from(doubles.subarray(first, first + (each ? rows * count : count)));
  for (let y = Atomics.add(words, w + NEXT, band); y < rows; y = Atomics.add(words, w + NEXT, band)) {
    const status = each
      ? kernel(...args.slice(y * count, (y + 1) * count))
      : kernel(...args, y, Math.min(rows, y + band), scratch);
    if (status !== 0) Atomics.store(words, w + STATUS, status);
  }
}

/** Returns when the word equals this value (or no longer equals it), or after a short time. */
function watch(words: Int32Array, at: number, value: number, wanted: boolean): void {
  const until = performance.now() + WATCH;
  // If the clock does not advance for a while, the number of polls ends the loop.
  for (let i = 1; i < LOOKS * LOOKS && (Atomics.load(words, at) === value) !== wanted; i++)
    if (i % LOOKS === 0 && performance.now() > until) return;
}

/** Whether the gate was open. This thread is then counted in it. */
function enter(words: Int32Array, gate: number): boolean {
  for (;;) {
    const inside = Atomics.load(words, gate);
    if (inside & SHUT) return false;
    if (Atomics.compareExchange(words, gate, inside, inside + 1) === inside) return true;
  }
}

/** Main loop of a helper thread: it sleeps, computes, and returns when asked to stop. Blocks its worker. */
export function threadLoop(start: ThreadStart, kernels: Kernels): void {
  // The job block is in the first pages, so existing views stay valid when the shared memory grows.
  const words = new Int32Array(start.memory.buffer);
  const doubles = new Float64Array(start.memory.buffer);
  const w = start.job >> 2;
  let seen = 0;
  for (;;) {
    watch(words, w + GENERATION, seen, false);
    Atomics.wait(words, w + GENERATION, seen);
    seen = Atomics.load(words, w + GENERATION);
    if (Atomics.load(words, w + KERNEL) === STOP) return;
    if (!enter(words, w + GATE)) continue;
    try {
      drain(kernels, words, doubles, start.job, words[(start.scratchTable >> 2) + start.thread]!);
    } catch {
      Atomics.store(words, w + STATUS, -1); // a trap, reported by the coordinator
    }
    if (Atomics.sub(words, w + GATE, 1) === SHUT + 1) Atomics.notify(words, w + GATE);
  }
}

const lostThread = () =>
  new FoveolaError('worker-lost', 'A helper thread of the engine was lost, and this call failed. Call again.');

export class ThreadPool {
  readonly threads: number;
  readonly #arena: Arena;
  readonly #kernels: Kernels;
  readonly #job: number;
  readonly #scratchTable: number;
  readonly #scratch: number[];
  #scratchBytes = 0;
  readonly #workers: { terminate(): unknown }[];
  readonly #failed: (why: string) => void;
  #lost = false;

  private constructor(
    arena: Arena,
    kernels: Kernels,
    job: number,
    scratchTable: number,
    workers: { terminate(): unknown }[],
    failed: (why: string) => void,
  ) {
    this.#arena = arena;
    this.#kernels = kernels;
    this.#job = job;
    this.#scratchTable = scratchTable;
    this.#workers = workers;
    this.#failed = failed;
    this.threads = workers.length + 1;
    this.#scratch = new Array<number>(this.threads).fill(0);
  }

  /** One thread: no workers, no atomics. */
  static single(arena: Arena, kernels: Kernels): ThreadPool {
    return new ThreadPool(arena, kernels, 0, 0, [], () => {});
  }

  /**
   * Only if Atomics.wait is allowed. `failed` is called when a helper is lost. After that, nothing in this memory is
   * safe.
   */
  static async start(
    arena: Arena,
    kernels: Kernels,
    module: WebAssembly.Module,
    threads: number,
    spawn: ThreadSpawn,
    failed: (why: string) => void = () => {},
  ): Promise<ThreadPool> {
    const job = arena.allocate(JOB_BYTES);
    const scratchTable = arena.allocate(4 * 64);
    arena.u8.fill(0, job, job + JOB_BYTES);
    arena.i32[(job >> 2) + GATE] = SHUT;
    const workers = await Promise.all(
      Array.from({ length: threads - 1 }, (_, i) =>
        spawn({ role: 'thread', module, memory: arena.memory, job, scratchTable, thread: i + 1 }, (why) =>
          failed(`a helper thread failed: ${why}`),
        ),
      ),
    );
    return new ThreadPool(arena, kernels, job, scratchTable, workers, failed);
  }

  /** Reserves scratch of at least `bytes` for every thread. */
  reserve(bytes: number): void {
    if (bytes <= this.#scratchBytes) return;
    for (let t = 0; t < this.threads; t++) {
      if (this.#scratch[t]) this.#arena.free(this.#scratch[t]!);
      this.#scratch[t] = 0; // if there is no memory left, nothing is freed twice
      this.#scratchBytes = 0;
      this.#scratch[t] = this.#arena.allocate(bytes);
      if (this.threads > 1) this.#arena.i32[(this.#scratchTable >> 2) + t] = this.#scratch[t]!;
    }
    this.#scratchBytes = bytes;
  }

  /** Moves scratch as low as possible on the arena. */
  settle(): void {
    const bytes = this.#scratchBytes;
    this.#scratchBytes = 0;
    this.reserve(bytes);
  }

  /** The coordinator's scratch, for kernels that are not split. */
  scratch(bytes: number): number {
    this.reserve(bytes);
    return this.#scratch[0]!;
  }

  /**
   * Runs kernel(...args, y0, y1, scratch) over rows first..rows-1 in bands of at least `minimumBand` rows, `each` of
   * them per thread. Two bands balance the load on a shared machine. More bands only repeat halo rows, unless the cost
   * differs much between rows.
   */
  bands(
    { name, index, run }: KernelEntry,
    rows: number,
    args: readonly number[],
    minimumBand: number,
    scratchBytes: number,
    first = 0,
    each = 2,
  ): void {
    if (rows <= first) return;
    this.reserve(Math.max(64, scratchBytes));
    if (this.threads === 1 || rows - first <= minimumBand) {
      const status = run(...args, first, rows, this.#scratch[0]!);
      if (status !== 0) throw kernelError(name, status);
      return;
    }
    const band = Math.max(minimumBand, Math.ceil((rows - first) / (each * this.threads)));
    this.#share(name, { index, rows, first, band, each: 0, count: args.length }, args);
  }

  /** Runs kernel(...list) once for each list, in parallel. No call may access memory that another one writes. */
  each({ name, index, run }: KernelEntry, lists: readonly (readonly number[])[]): void {
    const count = lists[0]?.length ?? 0;
    if (this.threads === 1 || lists.length < 2 || 64 + 8 * lists.length * count > JOB_BYTES) {
      for (const list of lists) {
        const status = run(...list);
        if (status !== 0) throw kernelError(name, status);
      }
      return;
    }
    this.#share(name, { index, rows: lists.length, first: 0, band: 1, each: 1, count }, lists.flat());
  }

  /** Posts a job, takes part in it and waits for its end. */
  #share(
    name: string,
    { index, rows, first, band, each, count }: Record<'index' | 'rows' | 'first' | 'band' | 'each' | 'count', number>,
    args: readonly number[],
  ): void {
    if (this.#lost) throw lostThread();
    const begun = performance.now();
    const words = this.#arena.i32;
    const w = this.#job >> 2;
    words[w + KERNEL] = index;
    words[w + ROWS] = rows;
    words[w + BAND] = band;
    words[w + STATUS] = 0;
    words[w + COUNT] = count;
    words[w + EACH] = each;
    this.#arena.f64.set(args, (this.#job >> 3) + 8);
    Atomics.store(words, w + NEXT, first);
    Atomics.store(words, w + GATE, 0);
    Atomics.add(words, w + GENERATION, 1);
    Atomics.notify(words, w + GENERATION);
    try {
      drain(this.#kernels, words, this.#arena.f64, this.#job, this.#scratch[0]!);
    } finally {
      // Also after a trap, because the helpers inside still write.
      Atomics.or(words, w + GATE, SHUT);
      // Their bands take about as long as this thread's bands.
      let waits = Math.max(HELPER_PATIENCE, 4 * (performance.now() - begun)) / WAIT;
      watch(words, w + GATE, SHUT, true);
      for (let gate = Atomics.load(words, w + GATE); gate !== SHUT; gate = Atomics.load(words, w + GATE))
        if (Atomics.wait(words, w + GATE, gate, WAIT) === 'timed-out' && --waits < 0) this.#lose();
    }
    if (words[w + STATUS] !== 0) throw kernelError(name, words[w + STATUS]!);
  }

  #lose(): never {
    this.#lost = true;
    this.#failed('a helper thread does not answer');
    throw lostThread();
  }

  dispose(): void {
    if (this.threads > 1) {
      const words = this.#arena.i32;
      words[(this.#job >> 2) + KERNEL] = STOP;
      Atomics.add(words, (this.#job >> 2) + GENERATION, 1);
      Atomics.notify(words, (this.#job >> 2) + GENERATION);
    }
    for (const worker of this.#workers) worker.terminate();
  }
}
