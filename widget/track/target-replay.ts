/**
 * Targets in the analysis of a recording: what was learned of them goes in before the first frame, so that they are found
 * wherever they appear, and each box that was drawn or corrected by hand counts again in the frame that it was drawn in.
 */
import type { ObjectResult, ObjectTracker, Source } from '../../src/index.ts';
import type { Box } from '../parts/shape.ts';

/** A box by hand; `timestamp` of its frame on the clock of the results, -Infinity for the first frame. */
export interface Mark {
  timestamp: number;
  box: Box;
}

export interface ReplayedTarget {
  /** Its number in the element. */
  id: number;
  /** What was learned, or null: it begins with its first mark. */
  model: Uint8Array | null;
  marks: readonly Mark[];
}

interface Pending extends Mark {
  target: ReplayedTarget;
}

export class TargetReplay {
  readonly #tracker: ObjectTracker;
  /** Numbers in the element by those in the tracker. */
  readonly #ids = new Map<number, number>();
  readonly #pending: Pending[];
  /** While boxes by hand go in, the frames after theirs wait. */
  #gate: Promise<void> | null = null;

  private constructor(tracker: ObjectTracker, targets: readonly ReplayedTarget[]) {
    this.#tracker = tracker;
    this.#pending = targets
      .flatMap((target) => target.marks.map((mark) => ({ ...mark, target })))
      .sort((a, b) => a.timestamp - b.timestamp);
  }

  static async of(tracker: ObjectTracker, targets: readonly ReplayedTarget[]): Promise<TargetReplay> {
    const replay = new TargetReplay(tracker, targets);
    try {
      for (const { id, model } of targets) if (model) replay.#ids.set(await tracker.importModel(model), id);
    } catch (error) {
      await tracker.dispose().catch(() => {});
      throw error;
    }
    return replay;
  }

  process(source: Source, options: { timestamp?: number; dropped?: number } = {}): Promise<ObjectResult> {
    const { timestamp = 0 } = options;
    const due: Pending[] = [];
    while (this.#pending[0] && this.#pending[0].timestamp <= timestamp) due.push(this.#pending.shift()!);
    const gate = this.#gate;
    const result = gate ? this.#later(gate, source, options) : this.#tracker.process(source, options);
    const marked = result.then(async (found) => this.#renumbered(await this.#apply(found, due)));
    if (due.length) {
      const open = () => void (this.#gate === shut && (this.#gate = null));
      const shut: Promise<void> = marked.then(open, open);
      this.#gate = shut;
    }
    return marked;
  }

  /** The frame's owner closes it before the gate opens. */
  async #later(gate: Promise<void>, source: Source, options: { timestamp?: number }): Promise<ObjectResult> {
    const own = source instanceof VideoFrame ? source.clone() : source;
    try {
      await gate;
      return await this.#tracker.process(own, options);
    } finally {
      if (own !== source) (own as VideoFrame).close();
    }
  }

  async #apply(result: ObjectResult, due: readonly Pending[]): Promise<ObjectResult> {
    let { targets } = result;
    for (const { target, box } of due) {
      const known = [...this.#ids].find(([, id]) => id === target.id)?.[0];
      if (known === undefined) this.#ids.set(await this.#tracker.add(box), target.id);
      else await this.#tracker.correct(known, box);
      const id = [...this.#ids].find(([, own]) => own === target.id)![0];
      const state = { id, box, confidence: 1, learning: true, by: 'none' as const };
      targets = [...targets.filter((other) => other.id !== id), state].sort((a, b) => a.id - b.id);
    }
    return { ...result, targets };
  }

  #renumbered(result: ObjectResult): ObjectResult {
    const targets = result.targets.map((target) => ({ ...target, id: this.#ids.get(target.id) ?? target.id }));
    const { box, confidence, learning, by, angle } = targets[0] ?? result;
    return { ...result, box, confidence, learning, by, ...(angle !== undefined && { angle }), targets };
  }

  reset(): Promise<void> {
    return this.#tracker.reset();
  }

  setParameters(parameters: Record<string, unknown>): Promise<void> {
    return this.#tracker.setParameters(parameters);
  }

  dispose(): Promise<void> {
    return this.#tracker.dispose();
  }
}
