/** The page's end of an engine that lives in a worker. */
import * as Comlink from 'comlink';
import { closePacket, ownPacket, packetTransferables, SpareBuffers, type FramePacket } from './packet.ts';
import { insideModel, workerAttempts, type AssetOptions } from './assets.ts';
import { FoveolaError, reading } from '../error.ts';
import { Lifeline } from './lifeline.ts';
import {
  fromReply,
  type CheckedParameters,
  type EngineInit,
  type EnginePort,
  type OperationCall,
  type ProcessCall,
  type Progress,
  type Reply,
  type StartedEngine,
  type TrackerCall,
} from './engine-protocol.ts';
import type { EngineServer } from './engine-worker.ts';
import type { Capabilities } from '../../results/types.ts';
import type { SideProfileData } from '../side-profile.ts';
import { watchPolicy, type PolicyWatch } from './policy.ts';
import { whyNoWorker, type OpenedWorker, type WorkerAttempt } from './worker-attempts.ts';

/** A blocked script is reported by an error event at once; silence this long means that it will not come. */
const START_TIMEOUT = 15000;
/** A worker that dies before its first word leaves no sign: after such a silence another one is started beside it, so often, ms. */
const DOUBT = 3000;
const MOST_DOUBTS = 2;
/** Looks for an answer of a worker that starts: it may wait for a graphics driver. */
const START_LOOKS = 30;
/** A worker that hangs is ended after this many milliseconds. */
const DISPOSE_TIMEOUT = 500;

/** A worker that has our script and answered as 'engine'. `release` gives back a blob URL. */
export interface BootedWorker {
  worker: Worker;
  /** What it holds as long as it lives. */
  lock: string | null;
  /** What is not as it should be, for `capabilities.reasons`. */
  reason?: string;
  release(): void;
}

/** What the browser said when the worker failed, and whether it failed at once. */
class WorkerFailure {
  constructor(
    readonly text: string,
    readonly thrown: boolean,
    readonly cause?: unknown,
  ) {}
}

/** Tries one way to start the worker's script, and takes the first worker that answers; rejects with a WorkerFailure. */
async function boot(attempt: WorkerAttempt, policy: PolicyWatch, doubts = MOST_DOUBTS): Promise<BootedWorker> {
  let opened: OpenedWorker;
  try {
    opened = await attempt.open(policy, AbortSignal.timeout(START_TIMEOUT));
  } catch (cause) {
    throw new WorkerFailure((cause as Error).message, true, cause); // browsers throw nothing else here
  }
  const { worker, blob, reason } = opened;
  const release = () => blob && URL.revokeObjectURL(blob);
  const own: BootedWorker = { worker, lock: null, reason, release };
  return new Promise((resolve, reject) => {
    let over = false;
    const end = (unused?: BootedWorker) => {
      over = true;
      clearTimeout(timer);
      clearTimeout(doubt);
      unused?.worker.terminate();
      unused?.release();
    };
    const fail = (text: string) => {
      end(own);
      reject(new WorkerFailure(text, false));
    };
    const timer = setTimeout(() => fail(`no answer within ${START_TIMEOUT / 1000} s`), START_TIMEOUT);
    const another = (booted: BootedWorker) => {
      end(over ? booted : own);
      resolve(booted);
    };
    const doubt = setTimeout(() => void (doubts && boot(attempt, policy, doubts - 1).then(another, () => {})), DOUBT);
    worker.onerror = (event) => {
      event.preventDefault();
      fail(event.message || 'its script was blocked or could not be loaded');
    };
    worker.onmessage = ({ data }: MessageEvent<{ lock?: string | null }>) => {
      end();
      worker.onmessage = worker.onerror = null;
      own.lock = data.lock ?? null;
      resolve(own);
    };
    worker.postMessage({ role: 'engine' });
  });
}

/**
 * Starts the worker's script in the first way that works.
 * @throws {FoveolaError} (rejects) 'worker-blocked' (a policy, the type it is served as), 'asset-missing'
 */
export async function bootWorker(options: AssetOptions): Promise<BootedWorker> {
  const policy = watchPolicy();
  const failures: [WorkerAttempt, WorkerFailure][] = [];
  try {
    for (const attempt of workerAttempts(options)) {
      const before = failures.at(-1)?.[1];
      if (attempt.afterThrow && !before?.thrown) continue;
      try {
        return await boot(attempt, policy);
      } catch (failure) {
        if (!(failure instanceof WorkerFailure)) throw failure;
        failures.push([attempt, failure]);
      }
    }
    const [attempt, { text, cause }] = failures[0]!;
    throw await whyNoWorker(attempt.url, policy, text, cause);
  } finally {
    policy.end();
  }
}

/** Brings the engine in a booted worker to life. The worker is ended when that fails. */
export async function startRemote({ worker, lock, release }: BootedWorker, init: EngineInit): Promise<StartedEngine> {
  const server = Comlink.wrap<EngineServer>(worker);
  const channel = new MessageChannel();
  const life = new Lifeline(worker, channel.port1, lock);
  try {
    const starting = server.start(init, Comlink.proxy(insideModel), Comlink.transfer(channel.port2, [channel.port2]));
    const capabilities = fromReply<Capabilities>(await life.watch<Reply<Capabilities>>(starting, START_LOOKS));
    return { port: new RemotePort(life, server, capabilities.sides), capabilities, died: life.died };
  } catch (error) {
    life.end();
    if (error instanceof FoveolaError && error.code === 'worker-lost')
      throw new FoveolaError('worker-blocked', `The worker did not start. ${error.message}`, { cause: error });
    throw error;
  } finally {
    release(); // its helper threads are started by now
  }
}

class RemotePort implements EnginePort {
  readonly #life: Lifeline;
  readonly #server: Comlink.Remote<EngineServer>;
  readonly #spare = new SpareBuffers();
  readonly #sides: Capabilities['sides'];

  /** `sides`: of the capabilities, changed with the calls. */
  constructor(life: Lifeline, server: Comlink.Remote<EngineServer>, sides: Capabilities['sides']) {
    this.#life = life;
    this.#server = server;
    this.#sides = sides;
  }

  /** Posts packets with their memory; they are closed when that was not possible. */
  async #send<T>(packets: readonly FramePacket[], post: (owned: FramePacket[]) => Promise<Reply<T>>): Promise<T> {
    const owned = packets.map((packet) => ownPacket(packet, this.#spare));
    let reply: Reply<T>;
    try {
      this.#life.check();
      reply = await this.#life.watch(post(owned));
    } catch (cause) {
      owned.forEach(closePacket);
      // Answers are replies, also of errors: anything else was thrown while the call was posted, by a getter for instance.
      throw reading('A parameter', () => {
        throw cause;
      });
    }
    if (reply.spare) this.#spare.give(reply.spare);
    Object.assign(this.#sides, reply.sides);
    return fromReply(reply);
  }

  operation(call: OperationCall, progress?: Progress): Promise<unknown> {
    return this.#send(call.packets, (packets) =>
      this.#server.operation(
        Comlink.transfer({ ...call, packets }, packetTransferables(packets)),
        progress && Comlink.proxy(progress),
      ),
    );
  }

  createTracker(tracker: number, kind: string, params: CheckedParameters, turn?: number): Promise<void> {
    return this.#send([], () => this.#server.createTracker(tracker, kind, params, turn)) as Promise<void>;
  }

  process(call: ProcessCall): Promise<unknown> {
    return this.#send([call.packet], ([packet]) =>
      this.#server.process(Comlink.transfer({ ...call, packet: packet! }, packetTransferables([packet!]))),
    );
  }

  trackerCall(call: TrackerCall): Promise<unknown> {
    return this.#send([], () => this.#server.trackerCall(call));
  }

  skip(tracker: number, turn: number): void {
    void this.#server.skip(tracker, turn);
  }

  abort(call: number): void {
    void this.#server.abort(call);
  }

  profile(): Promise<SideProfileData | null> {
    return this.#send([], () => this.#server.profile());
  }

  drop(image: number): void {
    void this.#server.drop(image);
  }

  async dispose(): Promise<void> {
    await Promise.race([this.#server.dispose(), new Promise((resolve) => setTimeout(resolve, DISPOSE_TIMEOUT))]);
    this.#life.end();
  }
}
