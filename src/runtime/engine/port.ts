/**
 * The connection between the page and its engine: two ports, one at each end. `request` expects an answer, `tell` does
 * not. Both arrive in the order of sending. The other end of a port is in a worker or on the same thread.
 */
import { asFoveolaError, FoveolaError, reading, textOf } from '../error.ts';
import { abortedError, throwIfCancelled } from './options.ts';
import { fromPlainError, plainError, transferables, type Aside, type PlainError, type Progress } from './protocol.ts';

/** Time limit for the engine to answer a cancel with partial results, ms. After that, the page answers for it. */
const ABORT_PATIENCE = 40;

/** A pending request, as its handler sees it. */
export interface Call {
  readonly signal: AbortSignal;
  readonly progress?: Progress;
  /** Sent together with the answer. */
  aside?: Aside;
  /** Cancels every pending request. */
  abort(reason: FoveolaError): void;
}

/** The requests that a port answers, by kind: the dispatch table of its end. */
export type Handlers = Readonly<Record<string, (payload: never, call: Call) => unknown>>;
type Payload<H extends Handlers, K extends keyof H> = Parameters<H[K]>[0];
type Answer<H extends Handlers, K extends keyof H> = Promise<Awaited<ReturnType<H[K]>>>;

/**
 * The fields distinguish messages: `kind` is a request (`id` 0: no answer expected), `done` is progress, `value` and
 * `error` are answers.
 */
interface Message {
  readonly id: number;
  readonly kind?: string;
  readonly payload?: unknown;
  /** The request has a progress listener. */
  readonly listens?: boolean;
  readonly cancel?: true;
  readonly done?: number;
  readonly detail?: unknown;
  readonly value?: unknown;
  readonly error?: PlainError | FoveolaError;
  readonly aside?: Aside;
  /** Asks the other end whether it is responsive ('ping'), and answers that question ('pong'). */
  readonly sign?: 'ping' | 'pong';
}

/** Implemented by workers, message ports and the global scope inside a worker. */
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
  /** Messages are copied or transferred when they are sent. */
  readonly copies: boolean;
  /** The requests that this end answers. */
  handlers: Handlers;
  /** The linear memory's buffer, if this end has one. Answers must not be views of it. */
  memory?: () => ArrayBufferLike;
  /** Receives the data sent with an answer. */
  onAside: (aside: Aside) => void = none;
  /** Receives an answer that is no longer expected. */
  onLate: (value: unknown) => void = none;
  protected readonly pending = new Map<number, Pending>();
  /** Number of messages from the other end. */
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

  /** A port whose other end is on this thread. Messages are passed on unchanged and synchronously. */
  static here<H extends Handlers>(handlers: H): Port<H> {
    const near: Link = { postMessage: (data) => hear(far, data) };
    const far: Link = { postMessage: (data) => hear(near, data) };
    // Messages of each link arrive at the other link's end.
    function hear(link: Link, data: unknown): void {
      (link.onmessage as ((event: { data: unknown }) => void) | null)?.({ data });
    }
    new Port(far, handlers, false);
    return new Port<H>(near, {}, false);
  }

  /**
   * Sends a call and resolves with its answer. Throws synchronously if it could not be sent: 'aborted',
   * 'invalid-argument' for values that cannot be copied, or the reason why the other end is gone.
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
        throw cause; // thrown during the copy, for example by a getter
      });
    }
    return answer as Answer<H, K>;
  }

  /** Sends a message that expects no answer. */
  tell<K extends keyof H & string>(kind: K, payload: Payload<H, K>, transfer: Transferable[] = nothing): void {
    if (!this.#over) this.#post({ id: 0, kind, payload }, transfer);
  }

  /**
   * Calls back when the other end is lost, before pending requests are rejected. Calls back immediately if it is
   * already lost.
   */
  onLost(callback: (error: FoveolaError) => void): void {
    this.#onLost = callback;
    if (this.#lost) callback(this.#lost);
  }

  /** Handles the loss of the other end: rejects pending requests. */
  lose(error: FoveolaError): void {
    if (this.#lost || this.#over) return;
    this.#lost = error;
    this.#onLost(error); // first, because it starts the next one
    this.reject(error);
  }

  /** Rejects pending requests. */
  reject(error: FoveolaError): void {
    const pending = [...this.pending.values()];
    this.pending.clear();
    for (const { settle, reject } of pending) {
      settle();
      reject(error);
    }
  }

  /** The other end is gone. Rejects pending and later requests. */
  end(error: FoveolaError): void {
    this.#over ??= error;
    this.#link.onmessage = null;
    this.reject(error);
  }

  /** Cancels every pending request at this end. */
  readonly #abort = (reason: FoveolaError): void => {
    for (const controller of this.#running.values()) controller.abort(reason);
  };

  /** Called before a request is sent. */
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
      if (!this.copies) throw error; // ends the call, like on one thread
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
      // The partial result of an error cannot be copied, or something in an answer cannot.
      this.#post({ id, error: error ? { ...(error as PlainError), partial: undefined } : plainError(failure, kind) });
    }
  }
}

/** Age of a call after which the worker is asked whether it is responsive, ms. */
const PATIENCE = 3000;
/**
 * Time between two checks in ms, and number of checks in a row without an answer after which the worker counts as lost.
 */
const LOOK = 1000;
export const SILENT_LOOKS = 5;

/**
 * A port to a worker that may be lost. The worker holds a lock, if locks exist (secure pages). When the page receives
 * the lock, the worker has been ended or has crashed. The worker also answers pings, and silence means that it hangs.
 * Long work runs in slices, and answers are sent in between. Work in one piece (a kernel over a large image, a shader
 * that compiles) may block for a second or two.
 */
export class WorkerPort<H extends Handlers> extends Port<H> {
  /** Number of checks without an answer after which the worker counts as lost. */
  looks = SILENT_LOOKS;
  readonly #worker: Worker;
  readonly #waiting = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Checks since the worker was asked. 0 if nothing was asked. */
  #silent = 0;
  #seen = 0;

  /** `lock`: name of the lock that the worker holds until it ends. */
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

  /** Each check is a separate task. If the page itself was blocked, the worker's answers arrive between two checks. */
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

/** In a worker: calls back with the name of a lock that it holds until it ends, or null if locks are not supported. */
export function holdLock(ready: (lock: string | null) => void): void {
  const lock = `foveola ${Math.random()}`;
  const without = () => ready(null);
  if (!navigator.locks) return without();
  navigator.locks
    .request(lock, () => {
      ready(lock);
      return new Promise(() => {});
    })
    .catch(without); // frames without an origin have no locks
}
