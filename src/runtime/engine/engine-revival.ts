/**
 * An engine that comes back: the port that calls see stays the same while the worker behind it dies and another one takes
 * its place. Calls that come in between wait for it.
 */
import type {
  CheckedParameters,
  EnginePort,
  OperationCall,
  ProcessCall,
  Progress,
  StartedEngine,
  TrackerCall,
} from './engine-protocol.ts';
import type { Capabilities } from '../../results/types.ts';
import { asFoveolaError, FoveolaError } from '../error.ts';
import type { SideProfileData } from '../side-profile.ts';
import { closePacket, ownPacket, snapshot, type FramePacket } from './packet.ts';

/** So many deaths within a minute are no accident. A hair under a minute: what dies every half minute may come back. */
const MOST_DEATHS = 3;
const MINUTE = 59_000;

/** Starts the engine; `images`: numbers of kept images begin after it, so that those of a dead engine name nothing. */
export type EngineStart = (images: number) => Promise<StartedEngine>;

/** Kept images of one life have numbers below this. */
const IMAGES = 2 ** 32;

export class RevivingPort implements EnginePort {
  /** Called for each new life, before any call reaches it. */
  onRevived: (capabilities: Capabilities) => void = () => {};
  readonly #start: EngineStart;
  #port: EnginePort | null = null;
  /** The engine that is being started. */
  #coming: Promise<EnginePort> = Promise.reject(new FoveolaError('internal', 'The engine was not started.'));
  /** Messages for which there was no engine yet. */
  #unsent: ((port: EnginePort) => void)[] = [];
  /** Trackers that this life has. */
  readonly #trackers = new Set<number>();
  #deaths: number[] = [];
  #lives = 0;
  #disposed = false;

  private constructor(start: EngineStart) {
    this.#start = start;
    this.#coming.catch(() => {});
  }

  static async start(start: EngineStart): Promise<StartedEngine & { port: RevivingPort }> {
    const port = new RevivingPort(start);
    const started = await start(0);
    port.#adopt(started);
    return { port, capabilities: started.capabilities };
  }

  #adopt({ port, died }: StartedEngine): void {
    this.#port = port;
    void died?.then((error) => this.#revive(error));
  }

  #revive(death: FoveolaError): void {
    this.#port = null;
    this.#trackers.clear();
    if (this.#disposed) return;
    const now = performance.now();
    this.#deaths = [...this.#deaths.filter((time) => now - time < MINUTE), now];
    this.#coming = this.#next(death);
    this.#coming.catch(() => (this.#unsent = [])); // reported by every later call
  }

  async #next(death: FoveolaError): Promise<EnginePort> {
    if (this.#deaths.length >= MOST_DEATHS)
      throw new FoveolaError(
        'engine-stopped',
        `The engine's worker was lost three times within a minute; it is not started again by itself. Create a new engine, or reload the page; close other pages if the device is short of memory. The last time: ${death.message}`,
        { cause: death },
      );
    let started: StartedEngine;
    try {
      started = await this.#start(++this.#lives * IMAGES);
    } catch (error) {
      const { message } = asFoveolaError(error, 'Starting the engine again');
      throw new FoveolaError('engine-stopped', `The engine's worker was lost and did not start again: ${message}`, {
        cause: error,
      });
    }
    if (this.#disposed) {
      void started.port.dispose();
      throw new FoveolaError('disposed', 'The engine was disposed of; create a new one.');
    }
    const { capabilities } = started;
    this.#adopt(started);
    const again = `The engine's worker was lost and started again (${this.#lives} times so far). ${death.message}`;
    this.onRevived({ ...capabilities, reasons: [...capabilities.reasons, again] });
    for (const tell of this.#unsent.splice(0)) tell(started.port);
    return started.port;
  }

  /** At once where there is an engine; else later, with what is given as it is now. Throws 'invalid-argument' for what cannot be copied. */
  #call<G, T>(
    packets: readonly FramePacket[],
    given: G,
    post: (port: EnginePort, given: G, packets: FramePacket[]) => Promise<T>,
  ): Promise<T> {
    if (this.#port) return post(this.#port, given, [...packets]);
    const owned = packets.map((packet) => ownPacket(packet));
    const own = snapshot(given);
    return this.#coming.then(
      (port) => post(port, own, owned),
      (error) => {
        owned.forEach(closePacket);
        throw error;
      },
    );
  }

  #tell(body: (port: EnginePort) => void): void {
    if (this.#port) body(this.#port);
    else this.#unsent.push(body);
  }

  async operation({ packets, ...call }: OperationCall, progress?: Progress): Promise<unknown> {
    return this.#call(packets, call, (port, given, own) => port.operation({ ...given, packets: own }, progress));
  }

  createTracker(tracker: number, kind: string, params: CheckedParameters, turn?: number): Promise<void> {
    return this.#call([], params, async (port, given) => {
      if (this.#trackers.has(tracker)) return; // its call waited, and it came back with all others
      this.#trackers.add(tracker);
      await port.createTracker(tracker, kind, given, turn);
    });
  }

  async process({ packet, ...call }: ProcessCall): Promise<unknown> {
    return this.#call([packet], call, (port, given, [own]) => port.process({ ...given, packet: own! }));
  }

  async trackerCall(call: TrackerCall): Promise<unknown> {
    return this.#call([], call, (port, given) => port.trackerCall(given));
  }

  skip(tracker: number, turn: number): void {
    this.#tell((port) => port.skip(tracker, turn));
  }

  abort(call: number): void {
    this.#tell((port) => port.abort(call));
  }

  profile(): Promise<SideProfileData | null> {
    return this.#call([], null, (port) => port.profile());
  }

  drop(image: number): void {
    this.#tell((port) => port.drop(image));
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await (this.#port ? this.#port.dispose() : this.#coming.catch(() => {}));
  }
}
