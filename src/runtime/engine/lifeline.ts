/**
 * Whether a worker lives. It holds a lock, where there are such (secure pages): who gets it knows at once that the worker
 * was ended or has crashed. It answers when it is asked: silence tells of one that hangs. Long work runs in slices, between which
 * answers come; what runs in one piece (a kernel over a large image, a shader that compiles) may take a second or two.
 */
import { FoveolaError } from '../error.ts';

/** A call older than this many milliseconds is asked after. */
const PATIENCE = 3000;
/** Milliseconds between two looks, and looks in a row without an answer after which the worker is given up. */
const LOOK = 1000;
const SILENT_LOOKS = 5;

/** That it lives, or why it cannot go on. */
type Sign = null | string;

interface WatchedCall {
  readonly since: number;
  readonly looks: number;
  readonly reject: (error: FoveolaError) => void;
}

export class Lifeline {
  /** Resolves when the worker is dead; never after `end`. */
  readonly died: Promise<FoveolaError>;
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #calls = new Set<WatchedCall>();
  #tell!: (error: FoveolaError) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Looks since the worker was asked; 0 when nothing was asked. */
  #silent = 0;
  #over: FoveolaError | null = null;
  readonly #waiting = new AbortController();

  /** `port`: the page's end of a channel whose other end the worker has, or gets with the next message; `lock`: what it holds. */
  constructor(worker: Worker, port: MessagePort, lock: string | null) {
    this.#worker = worker;
    this.#port = port;
    this.died = new Promise((resolve) => (this.#tell = resolve));
    port.onmessage = ({ data }: MessageEvent<Sign>) => {
      this.#silent = 0;
      if (data !== null) this.#die(data);
    };
    if (lock !== null) this.#await(lock);
    worker.addEventListener('error', this.#failed);
    worker.addEventListener('messageerror', this.#unreadable);
  }

  /** Throws what `died` resolved with. */
  check(): void {
    if (this.#over) throw this.#over;
  }

  /** Waits for an answer of the worker, but not longer than it lives; `looks`: how long it may be silent. */
  watch<T>(answer: Promise<T>, looks = SILENT_LOOKS): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#over) return reject(this.#over);
      const call = { since: performance.now(), looks, reject };
      this.#calls.add(call);
      this.#timer ??= setTimeout(this.#look, LOOK);
      const done = () => this.#calls.delete(call);
      answer.then(
        (value) => (done(), resolve(value)),
        (error: Error) => (done(), reject(error)),
      );
    });
  }

  /** Each look is a task of its own: where the page itself stood still, its answers come between two of them. */
  readonly #look = () => {
    const [oldest] = this.#calls;
    this.#timer = oldest && setTimeout(this.#look, LOOK);
    if (!oldest || performance.now() - oldest.since < PATIENCE) this.#silent = 0;
    else if (this.#silent++ === 0) this.#port.postMessage(null);
    else if (this.#silent > oldest.looks) this.#die(`it has not answered for ${oldest.looks} s`);
  };

  readonly #unreadable = () => this.#die('an answer of it could not be read');
  readonly #failed = (event: ErrorEvent) => {
    event.preventDefault();
    this.#die(event.message || 'it failed');
  };

  #await(lock: string): void {
    const { signal } = this.#waiting;
    const ended = () => this.#die('it was ended, or it crashed');
    navigator.locks.request(lock, { signal }, ended).catch(() => {}); // no longer waited for
  }

  #die(why: string): void {
    if (this.#over) return;
    const error = new FoveolaError(
      'worker-lost',
      `The engine's worker was lost (${why}), and this call with it. A new one is started: call again. Images that stayed in the engine are to be loaded again, and trackers go on from their parameters.`,
    );
    this.#close(error);
    this.#tell(error); // before the calls: who starts the next worker comes first
    for (const { reject } of this.#calls) reject(error);
    this.#calls.clear();
  }

  #close(over: FoveolaError): void {
    this.#over = over;
    clearTimeout(this.#timer);
    this.#worker.removeEventListener('error', this.#failed);
    this.#worker.removeEventListener('messageerror', this.#unreadable);
    this.#port.onmessage = null;
    this.#port.close();
    this.#waiting.abort();
    this.#worker.terminate();
  }

  /** Ends the worker. */
  end(): void {
    if (!this.#over) this.#close(new FoveolaError('disposed', 'The engine was disposed of; create a new one.'));
  }
}

/** The worker's end. Returns how to say that it cannot go on, and why. */
export function answerLifeline(port: MessagePort): (why: string) => void {
  const say = (sign: Sign) => port.postMessage(sign);
  port.onmessage = () => say(null);
  addEventListener('messageerror', () => say('a call could not be read'));
  return say;
}

/** The worker's: calls back with the name of a lock that it holds to its end, or null where there are none. */
export function holdLock(ready: (lock: string | null) => void): void {
  const lock = `foveola ${Math.random()}`;
  const none = () => ready(null);
  if (!navigator.locks) return none();
  navigator.locks
    .request(lock, () => {
      ready(lock);
      return new Promise(() => {});
    })
    .catch(none); // frames of no origin have none
}
