/**
 * The connection between the page and its engine: two ports, one at each end. `request` is answered, `tell` is not; both arrive in
 * the order in which they were sent. The other end of a port is in a worker, or on the same thread.
 */
import { asFoveolaError, FoveolaError, reading, textOf } from '../error.ts';
import { abortedError, throwIfCancelled } from './options.ts';
import { fromPlainError, plainError, transferables, type Aside, type PlainError, type Progress } from './protocol.ts';

/** How long the engine may take to answer a cancel with what it has, in milliseconds; then the page answers for it. */
const ABORT_PATIENCE = 40;

/** A request under way, as its handler sees it. */
export interface Call {
  readonly signal: AbortSignal;
  readonly progress?: Progress;
  /** Sent with the answer, beside it. */
  aside?: Aside;
  /** Ends every request that is under way. */
  abort(reason: FoveolaError): void;
}

/** What a port answers, by kind: the dispatch table of its end. */
export type Handlers = Readonly<Record<string, (payload: never, call: Call) => unknown>>;
type Payload<H extends Handlers, K extends keyof H> = Parameters<H[K]>[0];
type Answer<H extends Handlers, K extends keyof H> = Promise<Awaited<ReturnType<H[K]>>>;

/** Fields tell messages apart: `kind` a request (`id` 0: nobody waits), `done` progress, `value` and `error` answers. */
interface Message {
  readonly id: number;
  readonly kind?: string;
  readonly payload?: unknown;
  /** The request has a listener for progress. */
  readonly listens?: boolean;
  readonly cancel?: true;
  readonly done?: number;
  readonly detail?: unknown;
  readonly value?: unknown;
  readonly error?: PlainError | FoveolaError;
  readonly aside?: Aside;
  /** Asks the other end whether it lives, and answers that. */
  readonly sign?: 'ping' | 'pong';
}

/** Workers, message ports and the inside of a worker have it. */
export interface Link {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage?: unknown;
}

interface Pending {
  readonly since: number;
  readonly progress?: Progress;
  settle(): void;
  resolve(value: unknown): void;
  reject(error: FoveolaError): void;
}

const nothing: Transferable[] = [];
const none = () => {};

export class Port<H extends Handlers> {
  readonly #link: Link;
  /** Messages are copied or transferred on their way. */
  readonly copies: boolean;
  /** What this end answers. */
  handlers: Handlers;
  /** The linear memory's buffer, where this end has one: answers must not be views of it. */
  memory?: () => ArrayBufferLike;
  /** What came beside an answer. */
  onAside: (aside: Aside) => void = none;
  /** An answer that nobody waits for any more. */
  onLate: (value: unknown) => void = none;
  protected readonly pending = new Map<number, Pending>();
  /** Counts messages of the other end. */
  protected heard = 0;
  readonly #running = new Map<number, AbortController>();
  #next = 1;
  #over: FoveolaError | null = null;
  #lost: FoveolaError | null = null;
  #onLost: (error: FoveolaError) => void = none;

  constructor(link: Link, handlers: Handlers, copies = true) {
    this.#link = link;
    this.handlers = handlers;
    this.copies = copies;
    link.onmessage = ({ data }: { data: Message }) => this.#receive(data);
  }

  /** A port whose other end is on this thread: messages are handed over as they are, at once. */
  static here<H extends Handlers>(handlers: H): Port<H> {
    const near: Link = { postMessage: (data) => hear(far, data) };
    const far: Link = { postMessage: (data) => hear(near, data) };
    // Each link's messages arrive at the other one's end.
    function hear(link: Link, data: unknown): void {
      (link.onmessage as ((event: { data: unknown }) => void) | null)?.({ data });
    }
    new Port(far, handlers, false);
    return new Port<H>(near, {}, false);
  }

  /**
   * Sends a call and resolves with its answer. Throws at once what it could not be sent for: 'aborted', 'invalid-argument' for
   * what cannot be copied, and why the other end is gone.
   */
  request<K extends keyof H & string>(
    kind: K,
    payload: Payload<H, K>,
    transfer: Transferable[] = nothing,
    signal?: AbortSignal,
    progress?: Progress,
  ): Answer<H, K> {
    if (this.#over) throw this.#over;
    throwIfCancelled(signal);
    const id = this.#next++;
    this.watch();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const answer = new Promise<unknown>((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
      };
      this.pending.set(id, { since: performance.now(), progress, settle, resolve, reject });
      const cancel = () => {
        this.#post({ id, cancel: true });
        timer = setTimeout(() => this.#done(id)?.reject(abortedError(signal!)), ABORT_PATIENCE);
      };
      signal?.addEventListener('abort', cancel, { once: true });
    });
    try {
      this.#post({ id, kind, payload, listens: progress !== undefined }, transfer);
    } catch (cause) {
      this.#done(id);
      throw reading('A parameter', () => {
        throw cause; // thrown while the call was copied, by a getter for instance
      });
    }
    return answer as Answer<H, K>;
  }

  /** Sends what nobody waits for. */
  tell<K extends keyof H & string>(kind: K, payload: Payload<H, K>, transfer: Transferable[] = nothing): void {
    if (!this.#over) this.#post({ id: 0, kind, payload }, transfer);
  }

  /** Calls back when the other end is lost, before what is under way is rejected; at once where it is lost already. */
  onLost(callback: (error: FoveolaError) => void): void {
    this.#onLost = callback;
    if (this.#lost) callback(this.#lost);
  }

  /** The other end is lost: rejects what is under way. */
  lose(error: FoveolaError): void {
    if (this.#lost || this.#over) return;
    this.#lost = error;
    this.#onLost(error); // first: it starts the next one
    this.reject(error);
  }

  /** Rejects what is under way. */
  reject(error: FoveolaError): void {
    const pending = [...this.pending.values()];
    this.pending.clear();
    for (const { settle, reject } of pending) {
      settle();
      reject(error);
    }
  }

  /** The other end is gone: rejects what is under way, and what is asked for later. */
  end(error: FoveolaError): void {
    this.#over ??= error;
    this.#link.onmessage = null;
    this.reject(error);
  }

  /** Ends every request that is under way here. */
  readonly #abort = (reason: FoveolaError): void => {
    for (const controller of this.#running.values()) controller.abort(reason);
  };

  /** A request is about to be sent. */
  protected watch(): void {}

  protected ping(): void {
    this.#post({ id: 0, sign: 'ping' });
  }

  #post(message: Message, transfer = nothing): void {
    this.#link.postMessage(message, transfer);
  }

  #done(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    pending?.settle();
    return pending;
  }

  #receive(message: Message): void {
    this.heard++;
    const { id, kind, done, sign } = message;
    if (kind !== undefined) void this.#serve(message as Message & { kind: string });
    else if (message.cancel) this.#running.get(id)?.abort();
    else if (sign) {
      if (sign === 'ping') this.#post({ id, sign: 'pong' });
    } else if (done !== undefined) this.#report(id, done, message.detail);
    else this.#answered(message);
  }

  #report(id: number, done: number, detail: unknown): void {
    try {
      this.pending.get(id)?.progress?.(done, detail);
    } catch (error) {
      if (!this.copies) throw error; // ends the call, as on one thread
    }
  }

  #answered({ id, value, error, aside }: Message): void {
    if (aside) this.onAside(aside);
    const pending = this.#done(id);
    if (!pending) return this.onLate(value);
    if (error) pending.reject(error instanceof FoveolaError ? error : fromPlainError(error));
    else pending.resolve(value);
  }

  async #serve({ id, kind, payload, listens }: Message & { kind: string }): Promise<void> {
    const controller = new AbortController();
    const call: Call = {
      signal: controller.signal,
      abort: this.#abort,
      ...(listens && { progress: (done, detail) => this.#post({ id, done, detail }) }),
    };
    this.#running.set(id, controller);
    let answer: Message;
    try {
      answer = { id, value: await this.handlers[kind]!(payload as never, call), aside: call.aside };
    } catch (error) {
      const failure = this.copies ? plainError(error, kind) : asFoveolaError(error, kind);
      answer = { id, error: failure, aside: call.aside };
    }
    this.#running.delete(id);
    if (id) this.#reply(kind, answer);
  }

  #reply(kind: string, answer: Message): void {
    if (!this.copies) return this.#post(answer);
    try {
      this.#post(answer, transferables(answer, this.memory?.()));
    } catch (cause) {
      const { id, error } = answer;
      const failure = new FoveolaError('internal', `${kind}: its answer cannot be sent (${textOf(cause)}).`, { cause });
      // Of an error, what was reached cannot be copied; of an answer, something in it.
      this.#post({ id, error: error ? { ...(error as PlainError), partial: undefined } : plainError(failure, kind) });
    }
  }
}

/** A call older than this many milliseconds is asked after. */
const PATIENCE = 3000;
/** Milliseconds between two looks, and looks in a row without an answer after which the worker is given up. */
const LOOK = 1000;
export const SILENT_LOOKS = 5;

/**
 * A port to a worker that may be lost. The worker holds a lock, if locks exist (secure pages): whoever gets it knows at once that
 * the worker was ended or has crashed. It answers when it is asked: silence means that it hangs. Long work runs in slices,
 * between which answers come; what runs in one piece (a kernel over a large image, a shader that compiles) may take a second or two.
 */
export class WorkerPort<H extends Handlers> extends Port<H> {
  /** Looks without a sign after which it is given up. */
  looks = SILENT_LOOKS;
  readonly #worker: Worker;
  readonly #waiting = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Looks since the worker was asked; 0 when nothing was asked. */
  #silent = 0;
  #seen = 0;

  /** `lock`: what the worker holds as long as it lives. */
  constructor(worker: Worker, lock: string | null, handlers: Handlers) {
    super(worker as unknown as Link, { ...handlers, lost: (why: string) => this.#fail(why) });
    this.#worker = worker;
    if (lock !== null) this.#await(lock);
    worker.addEventListener('error', this.#failed);
    worker.addEventListener('messageerror', this.#unreadable);
  }

  protected override watch(): void {
    this.#timer ??= setTimeout(this.#look, LOOK);
  }

  /** Each look is a task of its own: where the page itself stood still, its answers come between two of them. */
  readonly #look = () => {
    const [oldest] = this.pending.values();
    this.#timer = oldest && setTimeout(this.#look, LOOK);
    if (!oldest || this.heard !== this.#seen || performance.now() - oldest.since < PATIENCE) this.#silent = 0;
    this.#seen = this.heard;
    if (!oldest || performance.now() - oldest.since < PATIENCE) return;
    if (this.#silent++ === 0) this.ping();
    else if (this.#silent > this.looks) this.#fail(`it has not answered for ${this.looks} s`);
  };

  readonly #unreadable = () => this.#fail('its answer could not be read');
  readonly #failed = (event: ErrorEvent) => {
    event.preventDefault();
    this.#fail(event.message || 'it failed');
  };

  #await(lock: string): void {
    const { signal } = this.#waiting;
    const ended = () => this.#fail('it was stopped or crashed');
    navigator.locks.request(lock, { signal }, ended).catch(none); // no longer waited for
  }

  #fail(why: string): void {
    const error = new FoveolaError(
      'worker-lost',
      `The engine's worker was lost (${why}), and this call failed. A new worker is starting. Call again and reload images held by the engine. Trackers continue with their parameters.`,
    );
    this.lose(error);
    this.end(error);
  }

  /** Ends the worker. */
  override end(error: FoveolaError): void {
    clearTimeout(this.#timer);
    this.#worker.removeEventListener('error', this.#failed);
    this.#worker.removeEventListener('messageerror', this.#unreadable);
    this.#waiting.abort();
    this.#worker.terminate();
    super.end(error);
  }
}

/** In a worker: calls back with the name of a lock that it holds to its end, or null if there are no locks. */
export function holdLock(ready: (lock: string | null) => void): void {
  const lock = `foveola ${Math.random()}`;
  const without = () => ready(null);
  if (!navigator.locks) return without();
  navigator.locks
    .request(lock, () => {
      ready(lock);
      return new Promise(() => {});
    })
    .catch(without); // frames of no origin have none
}
