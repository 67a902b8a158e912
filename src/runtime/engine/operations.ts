/**
 * One-shot operations of an engine, alone or in a chain. Packets become planes, the plan runs, and results are plain
 * data.
 */
import type { Capabilities } from '../../results/types.ts';
import { operations, type NamedOperation, type SourceFormat } from '../capability.ts';
import { asFoveolaError, FoveolaError, lostError } from '../error.ts';
import type { Pauses } from '../driver.ts';
import type { Plane } from '../plane.ts';
import { Scope } from '../scope.ts';
import { predict, type Prediction } from '../backend-costs.ts';
import {
  callKey,
  BackendProfile,
  type BackendProfileData,
  firstChoice,
  BackendReasons,
  sizeClass,
} from '../backend-profile.ts';
import { resultBackend, type Backend } from '../runtime.ts';
import { drive } from '../stage.ts';
import type { Plan } from '../wasm/kernel-step.ts';
import { runChain } from './chain.ts';
import type { Images, ImageUse } from './images.ts';
import type { Call } from './port.ts';
import {
  closePacket,
  ownPacket,
  packetSize,
  snapshot,
  SpareBuffers,
  type FramePacket,
  type ImageReference,
  type OperationCall,
} from './protocol.ts';
import { throwIfAborted, type Queue } from './queue.ts';

const none = () => {};

/** log2 of the pixel counts (a quarter of a megapixel, one and eight) for estimates before the first call. */
const SIZES = [18, 20, 23];

export class Operations {
  readonly #images: Images;
  readonly #queue: Queue;
  /** Set if the backends are compared: 'auto' with a hardware GPU. */
  readonly #profile: BackendProfile | null;
  readonly #reasons: BackendReasons;

  /** `backends`: part of the capabilities. From now on it reports the chosen backend and the reason. */
  constructor(images: Images, queue: Queue, profile?: BackendProfileData, backends: Capabilities['backends'] = {}) {
    this.#images = images;
    this.#queue = queue;
    this.#reasons = new BackendReasons(backends);
    const { gpuForced, pool, preferred, renderer } = images.runtime;
    const device = `${renderer}, ${pool.threads} threads`;
    this.#profile = preferred === 'gpu' && !gpuForced ? new BackendProfile(device, profile) : null;
    if (this.#profile) this.#foretell(this.#profile.toJSON());
  }

  /** Sets estimates for operations without a call so far. */
  #foretell({ calls }: BackendProfileData): void {
    for (const { name, sources } of operations.values())
      for (const size of sources.length ? SIZES : []) {
        const predicted = this.#predict([name], 2 ** size, 'gray');
        if (predicted) this.#reasons.say(name, size, firstChoice(predicted));
      }
    for (const key of Object.keys(calls)) {
      const [, name, size] = /^(\w+) .* 2\^(\d+) \w+$/.exec(key) ?? [];
      if (name) this.#reasons.say(name, Number(size), this.#profile!.choice(key, firstChoice(null)));
    }
  }

  #predict(steps: readonly string[], pixels: number, place: string, keep?: boolean): Prediction | null {
    const { pool, renderer } = this.#images.runtime;
    return renderer === null ? null : predict(renderer, pool.threads, steps, pixels, place, keep);
  }

  /** Measured times of the backends. Null if they are not compared. */
  profile(): BackendProfileData | null {
    return this.#profile?.toJSON() ?? null;
  }

  async run(call: OperationCall, { signal, progress }: Pick<Call, 'signal' | 'progress'>): Promise<unknown> {
    const { name } = call;
    const work = new OperationWork(this.#images, call);
    try {
      const operation = operationOf(name);
      work.useImages();
      const pauses = this.#queue.pauses(signal, true);
      const answer: Answer = (backend) => work.answer(operation, { pauses, progress, signal, backend });
      // Without an image there is nothing to wait for. Models load while other work continues.
      if (!operation.sources.length) return await answer();
      const body = () => this.#measured(work, () => this.#twice(work, answer, signal));
      return await this.#queue.operation(work.pixels, signal, body);
    } catch (error) {
      work.dropKept(); // no caller will know about them
      throw asFoveolaError(error, name);
    } finally {
      work.end();
    }
  }

  /** Chooses the backend, runs the call, and records its duration. */
  async #measured(work: OperationWork, run: () => Promise<unknown>): Promise<unknown> {
    const { gpu } = this.#images.runtime;
    const profile = gpu && this.#profile; // before the GPU code has loaded, there is no choice
    if (!profile) return run();
    const { pixels, place, steps, keep } = work;
    const key = callKey(steps.join('.'), work.allParams, pixels, place);
    const at = firstChoice(this.#predict(steps, pixels, place, keep), place === 'gpu' ? 'gpu' : 'wasm');
    const backend = profile.choose(key, at.backend);
    // If the GPU is chosen, the stages choose as usual.
    if (backend === 'wasm') work.forced = backend;
    const begun = performance.now();
    const result = await run();
    if (work.restarted) return result;
    // A result that stays on the GPU is still being computed. Its time is measured when it has finished.
    if (keep && work.backends.has('gpu')) await gpu.fence().catch(none);
    if (gpu.lost) return result;
    const charge = profile.took(key, backend, performance.now() - begun, work.backends.has('gpu'));
    for (const plane of work.away) plane.fetched ??= charge;
    if (steps.length === 1) this.#reasons.say(steps[0]!, sizeClass(pixels), profile.choice(key, at));
    return result;
  }

  /** If the WebGL context is lost during the call, runs the call again from its start in WASM. */
  async #twice(work: OperationWork, answer: Answer, signal: AbortSignal): Promise<unknown> {
    const { gpu, preferred } = this.#images.runtime;
    const restartable = gpu !== null && preferred === 'gpu' && !work.forced && !gpu.lost;
    const losses = gpu?.losses;
    const lost = () => restartable && gpu.losses !== losses;
    try {
      await work.read(work.forced, !restartable, signal);
      const result = await answer(work.forced);
      if (work.keep && lost()) throw lostError(); // the kept result may be lost
      return result;
    } catch (error) {
      if (!lost() || signal.aborted || !['context-lost', 'internal'].includes(asFoveolaError(error, '').code))
        throw error;
      work.restart();
      await work.read('wasm', true, signal);
      return answer('wasm');
    }
  }
}

type Answer = (backend?: Backend) => Promise<unknown>;

function operationOf(name: string): NamedOperation {
  const operation = operations.get(name);
  if (!operation) throw new FoveolaError('internal', `This engine has no operation '${name}'.`);
  return operation;
}

/** Resources of one call: packets and planes until its plan owns them, and kept results. */
class OperationWork {
  readonly keep: boolean;
  readonly pixels: number;
  /** Names of the operations, in order. */
  readonly steps: readonly string[];
  /** The backends that its stages ran on. */
  readonly backends = new Set<Backend>();
  /** Kept planes that are only on the GPU. */
  readonly away: Plane[] = [];
  /** The backend that this call must use. */
  forced: 'wasm' | undefined;
  restarted = false;
  readonly #images: Images;
  readonly #call: Omit<OperationCall, 'packets'>;
  readonly #packets: readonly FramePacket[];
  /** Packets that have no new owner yet. */
  #left: readonly FramePacket[];
  readonly #uses: (ImageUse | null)[] = [];
  #planes: Plane[] = [];
  /** Planes of this call only. Its plan becomes their owner. */
  readonly #own: Plane[] = [];
  readonly #kept: number[] = [];
  readonly #spare = new SpareBuffers();

  constructor(images: Images, { packets, ...call }: OperationCall) {
    this.#images = images;
    // A worker has copies of everything. Here the caller may write to the arrays while the call waits.
    const { worker } = images.home;
    this.#packets = this.#left = worker ? packets : packets.map((packet) => ownPacket(packet));
    this.#call = worker ? call : snapshot(call);
    this.keep = call.keep ?? false;
    this.pixels = packets.map(packetSize).reduce((sum, { width, height }) => sum + width * height, 0);
    this.steps = [...this.#chain.map(({ name }) => name), call.name];
  }

  get #chain(): NonNullable<OperationCall['chain']> {
    return this.#call.chain ?? [];
  }

  /** Location of its first image. */
  get place(): string {
    return this.#uses[0]?.on ?? this.#packets[0]!.kind;
  }

  get allParams(): object {
    return { ...this.#call.params, ...this.#chain.map(({ params }) => params) };
  }

  /** Immediately, not in its turn, because an image may be dropped meanwhile. */
  useImages(): void {
    for (const packet of this.#packets) this.#uses.push(this.#images.used(packet));
  }

  #formats(): readonly SourceFormat[] {
    const [first] = this.#chain;
    if (first) return operationOf(first.name).sources;
    const operation = operationOf(this.#call.name);
    return operation.formats?.(this.#call.params) ?? operation.sources;
  }

  /** Makes the planes. `last`: this is the last attempt, so packets and their memory may be released. */
  async read(backend: 'wasm' | undefined, last: boolean, signal: AbortSignal): Promise<void> {
    this.#planes = [];
    for (const [i, format] of this.#formats().entries()) {
      const packet = this.#packets[i]!;
      if (last) this.#left = this.#packets.slice(i + 1);
      const plane = await this.#images.read(packet, this.#uses[i]!, format, { backend, keep: !last });
      this.#planes.push(plane);
      if (!this.#uses[i]) this.#own.push(plane);
      // Its samples are now on the arena, so the result may reuse their memory.
      if (last && (packet.kind === 'gray' || packet.kind === 'rgba'))
        this.#spare.give(packet.data.buffer as ArrayBuffer);
    }
    throwIfAborted(signal);
  }

  /** Runs the plan. The result reports which backends the stages used. */
  async answer(
    operation: NamedOperation,
    options: Pick<Call, 'signal' | 'progress'> & { pauses: Pauses; backend?: Backend },
  ): Promise<unknown> {
    const taken = this.#own.splice(0);
    const body = (scope: Scope) => {
      for (const plane of taken) scope.own(plane);
      return this.#plan(scope, operation);
    };
    const all = {
      ...options,
      ...(this.keep && { give: (plane: Plane) => this.#give(plane), keep: true }),
      memory: (bytes: number) => this.#spare.take(bytes),
      took: (backend: Backend) => void this.backends.add(backend),
    };
    const result = await drive(this.#images.runtime, body, all);
    throwIfAborted(options.signal); // cancelled after the last pause
    // A list has no field for it, so each of its items names the backend.
    for (const named of Array.isArray(result) ? (result as unknown[]) : [result])
      if (typeof named === 'object' && named && !('backend' in named))
        Object.assign(named, { backend: resultBackend(this.backends) });
    return result;
  }

  *#plan(scope: Scope, operation: NamedOperation): Plan<unknown> {
    const { home, runtime } = this.#images;
    const steps = this.#chain.map((step) => ({ ...step, operation: operationOf(step.name) }));
    const sources = yield* runChain(scope, steps, this.#planes, operation, function* (plane, format) {
      return scope.own(yield* scope.wait(home.planeAs(runtime, plane, format as 'gray')));
    });
    return yield* operation.plan(scope, sources, this.#call.params, ...this.#call.data);
  }

  #give(plane: Plane): ImageReference {
    const reference = this.#images.keep(plane);
    this.#kept.push(reference.image);
    if (plane.on === 'gpu') this.away.push(plane);
    return reference;
  }

  dropKept(): void {
    for (const image of this.#kept.splice(0)) this.#images.drop(image);
  }

  restart(): void {
    this.restarted = true;
    for (const plane of this.#own.splice(0)) plane.dispose();
    this.dropKept();
    this.backends.clear();
  }

  end(): void {
    this.#left.forEach(closePacket);
    for (const plane of this.#own) plane.dispose();
    for (const use of this.#uses) use?.done();
  }
}
