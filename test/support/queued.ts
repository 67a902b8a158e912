/** A tracker without an engine, whose calls go through the engine's queue: frames overlap as deep as the tracker allows. */
import type { CallContext } from '../../src/runtime/capability.ts';
import { TrackerQueue, type FrameSlot } from '../../src/runtime/engine/queue.ts';
import type { Plane } from '../../src/runtime/plane.ts';

interface Core<R> {
  readonly depth: number;
  process(plane: Plane, timestamp: number, context?: CallContext): R | Promise<R>;
}

const atOnce = { pauses: { pause: async () => {} } };

export interface Queued<R> {
  process(plane: Plane, timestamp: number): Promise<R>;
  /** Runs when all frames before are done. */
  call<T>(body: () => T | Promise<T>): Promise<T>;
  /** Resolves when the frame of the last call has entered, or is done. */
  entered(): Promise<void>;
}

export function queued<R>(core: Core<R>, { pauses }: Pick<CallContext, 'pauses'> = atOnce): Queued<R> {
  const line = new TrackerQueue();
  let last = Promise.resolve();
  return {
    process(plane, timestamp) {
      let enter!: () => void;
      last = new Promise((resolve) => (enter = resolve));
      const body = ({ before, entered }: FrameSlot) =>
        core.process(plane, timestamp, { pauses, before, entered: () => (entered(), enter()) });
      const work = line.frame(() => core.depth, body);
      work.then(enter, enter);
      return work;
    },
    call: (body) => line.call(body),
    entered: () => last,
  };
}
