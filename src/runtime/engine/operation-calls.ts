/** One-shot operations of an engine, alone or in a chain: packets become planes, the plan is driven, results are plain. */
import type { Capabilities } from '../../results/types.ts';
import { operations, type NamedOperation } from '../capability.ts';
import { asFoveolaError, FoveolaError, lostError } from '../error.ts';
import type { Plane } from '../plane.ts';
import { Scope, type ScopeOptions } from '../scope.ts';
import { predict, type Prediction } from '../side-costs.ts';
import { callKey, SideProfile, type SideProfileData } from '../side-profile.ts';
import { firstChoice, SideReasons, sizeClass } from '../side-reasons.ts';
import { sidesOf, type Side } from '../side.ts';
import { drive } from '../stage.ts';
import type { Plan } from '../wasm/kernel-step.ts';
import { runChain } from './engine-chain.ts';
import type { EngineContext } from './engine-context.ts';
import type { OperationCall, Progress } from './engine-protocol.ts';
import { throwIfAborted } from './engine-scheduler.ts';
import type { ImageUse } from './kept-images.ts';
import { closePacket, ownPacket, packetSize, snapshot, SpareBuffers } from './packet.ts';

const none = () => {};

/** Pictures of a quarter of a megapixel, of one, and of eight: what is said of sizes before there was a call. */
const SIZES = [18, 20, 23];

export class OperationCalls {
  readonly #context: EngineContext;
  /** Where the sides are compared: 'auto' on graphics hardware. */
  readonly #profile: SideProfile | null;
  readonly #reasons: SideReasons;

  /** `sides`: of the capabilities; says from now on what is chosen, and why. */
  constructor(context: EngineContext, profile?: SideProfileData, sides: Capabilities['sides'] = {}) {
    this.#context = context;
    this.#reasons = new SideReasons(sides);
    const { gpuForced, pool, preferred, renderer } = context.runtime;
    const device = `${renderer}, ${pool.threads} threads`;
    this.#profile = preferred === 'gpu' && !gpuForced ? new SideProfile(device, profile) : null;
    if (this.#profile) this.#foretell(this.#profile.toJSON());
  }

  /** Of what there were no calls yet. */
  #foretell({ calls }: SideProfileData): void {
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
    const { pool, renderer } = this.#context.runtime;
    return renderer === null ? null : predict(renderer, pool.threads, steps, pixels, place, keep);
  }

  /** What the sides took so far; null where nothing is compared. */
  profile(): SideProfileData | null {
    return this.#profile?.toJSON() ?? null;
  }

  /** Drives the plan of an operation; its result says which sides the stages ran on. */
  async #plan(
    signal: AbortSignal,
    progress: Progress | undefined,
    given: Pick<ScopeOptions, 'give' | 'keep' | 'memory' | 'side'>,
    sides: Set<Side>,
    body: (scope: Scope) => Plan<unknown>,
  ): Promise<unknown> {
    const pauses = this.#context.pauses(signal, true);
    const options = { ...given, pauses, progress, signal, took: (side: Side) => void sides.add(side) };
    const result = await drive(this.#context.runtime, body, options);
    throwIfAborted(signal); // cancelled after the last pause
    // A list has no place for it: each of what it lists names the side.
    for (const named of Array.isArray(result) ? (result as unknown[]) : [result])
      if (typeof named === 'object' && named && !('side' in named)) Object.assign(named, { side: sidesOf(sides) });
    return result;
  }

  #operation(name: string): NamedOperation {
    const operation = operations.get(name);
    if (!operation) throw new FoveolaError('internal', `This engine has no operation '${name}'.`);
    return operation;
  }

  async run(call: OperationCall, progress?: Progress): Promise<unknown> {
    const { name, keep = false } = call;
    // In a worker everything is a copy already; here the caller may write to his arrays while the call waits.
    const packets = this.#context.home.worker ? call.packets : call.packets.map((packet) => ownPacket(packet));
    const given = { params: call.params, data: call.data, chain: call.chain ?? [] };
    const { params, data, chain } = this.#context.home.worker ? given : snapshot(given);
    let left = packets; // packets that nobody has taken over yet
    const uses: (ImageUse | null)[] = [];
    /** Planes of this call alone; its plan takes them over. */
    const own: Plane[] = [];
    const kept: number[] = [];
    /** Of what is kept, those that lie on the GPU alone. */
    const away: Plane[] = [];
    const give = (plane: Plane) => {
      const reference = this.#context.images.keep(plane);
      kept.push(reference.image);
      if (plane.on === 'gpu') away.push(plane);
      return reference;
    };
    const spare = new SpareBuffers();
    const options = { ...(keep && { give, keep }), memory: (bytes: number) => spare.take(bytes) };
    try {
      const operation = this.#operation(name);
      const signal = this.#context.begin(call.call);
      // Now, not in its turn: the image may be dropped meanwhile.
      for (const packet of packets) uses.push(this.#context.use(packet));
      // Without a picture there is nothing to wait for: models are loaded while everything else goes on.
      const sides = new Set<Side>();
      const answer = (planes: readonly Plane[], side?: Side) => {
        const taken = own.splice(0);
        return this.#plan(signal, progress, { ...options, side }, sides, (scope) => {
          for (const plane of taken) scope.own(plane);
          return this.#last(scope, operation, chain, planes, params, data);
        });
      };
      if (!operation.sources.length) return await answer([]);
      const first = chain[0] ? this.#operation(chain[0].name) : operation;
      const formats = (chain.length ? undefined : operation.formats?.(params)) ?? first.sources;
      const pixels = packets.map(packetSize).reduce((sum, { width, height }) => sum + width * height, 0);
      return await this.#context.scheduler.operation(pixels, signal, async () => {
        const steps = [...chain.map((step) => step.name), name];
        const place = uses[0]?.on ?? packets[0]!.kind;
        const all = { ...params, ...chain.map((step) => step.params) };
        const { gpu, preferred } = this.#context.runtime;
        // Before the GPU half is there, there is nothing to choose.
        const key = gpu && this.#profile && callKey(steps.join('.'), all, pixels, place);
        const at = firstChoice(this.#predict(steps, pixels, place, keep), place === 'gpu' ? 'gpu' : 'wasm');
        const side = key === null ? undefined : this.#profile!.choose(key, at.side);
        // Where the GPU has its turn, the stages choose as ever.
        const forced = side === 'wasm' ? side : undefined;
        const begun = performance.now();
        /** `last`: there will be no other, so packets and their memory may go. */
        const attempt = async (on: 'wasm' | undefined, last: boolean) => {
          const planes: Plane[] = [];
          for (const [i, format] of formats.entries()) {
            const packet = packets[i]!;
            if (last) left = packets.slice(i + 1);
            const plane = await this.#context.read(packet, uses[i]!, format, { side: on, keep: !last });
            planes.push(plane);
            if (!uses[i]) own.push(plane);
            // Its samples are on the arena now: the result's may have their place.
            if (last && (packet.kind === 'gray' || packet.kind === 'rgba'))
              spare.give(packet.data.buffer as ArrayBuffer);
          }
          throwIfAborted(signal);
          return answer(planes, on);
        };
        const restartable = gpu !== null && preferred === 'gpu' && !forced && !gpu.lost;
        const losses = gpu?.losses;
        const lost = () => restartable && gpu.losses !== losses;
        let result: unknown;
        try {
          result = await attempt(forced, !restartable);
          if (keep && lost()) throw lostError(); // what was kept may be gone
        } catch (error) {
          // The same call from its beginning, without the context that was lost during it.
          if (!lost() || signal.aborted || !['context-lost', 'internal'].includes(asFoveolaError(error, name).code))
            throw error;
          for (const plane of own.splice(0)) plane.dispose();
          for (const image of kept.splice(0)) this.#context.images.drop(image);
          sides.clear();
          return await attempt('wasm', true);
        }
        // A picture that stays on the GPU is only under way: its time is that of its end.
        if (key !== null && keep && sides.has('gpu')) await gpu?.fence().catch(none);
        if (key !== null && !gpu?.lost) {
          const charge = this.#profile!.took(key, side!, performance.now() - begun, sides.has('gpu'));
          for (const plane of away) plane.fetched ??= charge;
          if (!chain.length) this.#reasons.say(name, sizeClass(pixels), this.#profile!.choice(key, at));
        }
        return result;
      });
    } catch (error) {
      for (const image of kept) this.#context.images.drop(image); // nobody will know of them
      throw asFoveolaError(error, name);
    } finally {
      left.forEach(closePacket);
      for (const plane of own) plane.dispose();
      for (const use of uses) use?.done();
      this.#context.end(call.call);
    }
  }

  *#last(
    scope: Scope,
    operation: NamedOperation,
    chain: NonNullable<OperationCall['chain']>,
    planes: readonly Plane[],
    params: object,
    data: readonly unknown[],
  ): Plan<unknown> {
    const { home, runtime } = this.#context;
    const steps = chain.map((step) => ({ ...step, operation: this.#operation(step.name) }));
    const sources = yield* runChain(scope, steps, planes, operation, function* (plane, format) {
      return scope.own(yield* scope.wait(home.planeAs(runtime, plane, format as 'gray')));
    });
    return yield* operation.plan(scope, sources, params, ...data);
  }
}
