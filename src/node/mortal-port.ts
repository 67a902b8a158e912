/**
 * An engine whose helper threads may die. It lives on this thread and could go on alone, but a helper that died inside a
 * kernel has left memory half-written: calls under way are rejected as those of a page are, whose worker has died, and the
 * engine gives back what it holds.
 */
import type {
  CheckedParameters,
  EnginePort,
  OperationCall,
  ProcessCall,
  Progress,
  StartedEngine,
  TrackerCall,
} from '../runtime/engine/engine-protocol.ts';
import { FoveolaError } from '../runtime/error.ts';

export class MortalPort implements EnginePort {
  #core!: EnginePort;
  #over = false;
  #tell!: (error: FoveolaError) => void;
  readonly #died = new Promise<FoveolaError>((resolve) => (this.#tell = resolve));
  readonly #underWay = new Set<(error: FoveolaError) => void>();

  /** To be called by whoever sees a helper die. */
  readonly failed = (why: string): void => {
    if (this.#over) return;
    this.#over = true;
    const error = new FoveolaError(
      'worker-lost',
      `The engine was lost, and this call with it: ${why}. It starts again by itself; call again.`,
    );
    for (const reject of this.#underWay) reject(error);
    this.#tell(error);
    setTimeout(() => void this.#core?.dispose().catch(() => {})); // when what runs now has ended
  };

  /** Takes the engine in. */
  around({ port, capabilities }: StartedEngine): StartedEngine {
    this.#core = port;
    return { port: this, capabilities, died: this.#died };
  }

  #watch<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#underWay.add(reject);
      void work.then(resolve, reject).then(() => this.#underWay.delete(reject));
    });
  }

  operation(call: OperationCall, progress?: Progress): Promise<unknown> {
    return this.#watch(this.#core.operation(call, progress));
  }

  createTracker(tracker: number, kind: string, params: CheckedParameters, turn?: number): Promise<void> {
    return this.#watch(this.#core.createTracker(tracker, kind, params, turn));
  }

  process(call: ProcessCall): Promise<unknown> {
    return this.#watch(this.#core.process(call));
  }

  trackerCall(call: TrackerCall): Promise<unknown> {
    return this.#watch(this.#core.trackerCall(call));
  }

  skip(tracker: number, turn: number): void {
    this.#core.skip(tracker, turn);
  }

  abort(call: number): void {
    this.#core.abort(call);
  }

  profile(): ReturnType<EnginePort['profile']> {
    return this.#core.profile();
  }

  drop(image: number): void {
    this.#core.drop(image);
  }

  dispose(): Promise<void> {
    this.#over = true; // threads that end now are ended by it
    return this.#core.dispose();
  }
}
