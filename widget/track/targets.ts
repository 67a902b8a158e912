/**
 * The targets of an element. They are added, corrected and removed in the last processed frame, announced when lost or
 * found, and passed on to an analysis of the recording.
 */
import { type ObjectResult, type ObjectTracker, type Source, FoveolaError, asFoveolaError } from '../../src/index.ts';
import type { Box } from '../tools/shape.ts';
import type { ElementParts } from '../base/element-parts.ts';
import type { ElementEngine } from '../base/engine.ts';
import type { Settings } from '../base/kind.ts';
import { Store } from '../base/host.ts';

// Targets in the analysis of a recording. The learned models are loaded before the first frame, so that targets are
// found wherever they appear. Each box drawn or corrected by hand is applied again in its frame.

/** A manual box. `timestamp` of its frame is on the clock of the results, -Infinity for the first frame. */
export interface Mark {
  timestamp: number;
  box: Box;
}

interface ReplayedTarget {
  /** Number of the target in the element. */
  id: number;
  /** The learned model. Null: the target starts with its first mark. */
  model: Uint8Array | null;
  marks: readonly Mark[];
}

interface Pending extends Mark {
  target: ReplayedTarget;
  /** It corrects an earlier one. */
  corrects: boolean;
}

export class TargetReplay {
  readonly #tracker: ObjectTracker;
  /** Target numbers in the element by tracker number. */
  readonly #ids = new Map<number, number>();
  readonly #pending: Pending[];
  /** While manual boxes are applied, the frames after theirs wait. */
  #gate: Promise<void> | null = null;

  private constructor(tracker: ObjectTracker, targets: readonly ReplayedTarget[]) {
    this.#tracker = tracker;
    this.#pending = targets
      .flatMap((target) => target.marks.map((mark, i) => ({ ...mark, target, corrects: i > 0 })))
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
    for (const { target, box, corrects } of due) {
      const known = [...this.#ids].find(([, id]) => id === target.id)?.[0];
      if (known === undefined) this.#ids.set(await this.#tracker.add(box), target.id);
      else await this.#tracker.correct(known, box);
      const id = [...this.#ids].find(([, own]) => own === target.id)![0];
      const by = { by: 'none' as const, ...(corrects && { corrected: 'box' as const }) };
      const state = { id, box, confidence: 1, learning: true, ...by };
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

type Targets = ObjectResult['targets'];

export class TargetsController {
  readonly #parts: ElementParts<ObjectResult>;
  /** A target was added. */
  readonly #added: () => void;
  readonly #store: Store<{ selected: number | null; listed: Targets }>;
  /** Another target is selected. */
  selectedChanged: (() => void) | null = null;
  /** A box was corrected. All boxes of its target drawn by hand, the new one last. */
  trackOn: ((id: number, marks: readonly Mark[]) => Promise<void>) | null = null;
  #tracker: ObjectTracker | null = null;
  #last: ObjectResult | null = null;
  /** Manual boxes of each target, in drawing order. */
  readonly #marks = new Map<number, Mark[]>();
  readonly #seen = new Map<number, boolean>();

  constructor(parts: ElementParts<ObjectResult>, added: () => void) {
    this.#parts = parts;
    this.#added = added;
    this.#store = new Store<{ selected: number | null; listed: Targets }>({ selected: null, listed: [] }, () =>
      parts.host.element.requestUpdate(),
    );
    parts.host.add(this);
  }

  get selected(): number | null {
    return this.#store.state.selected;
  }

  select(selected: number | null): void {
    if (!this.#store.set({ selected })) return;
    this.#parts.host.kind.draw();
    this.selectedChanged?.();
  }

  /** Targets as listed. The list updates less often than frames arrive. */
  get listed(): Targets {
    return this.#store.state.listed;
  }

  list(listed: Targets): void {
    this.#store.set({ listed });
  }

  /** Result of the last processed frame. */
  get last(): ObjectResult | null {
    return this.#last;
  }

  /** Whether a target was drawn since the source was opened. */
  get any(): boolean {
    return this.#marks.size > 0;
  }

  track(engine: ElementEngine, parameters: Settings): ObjectTracker {
    return (this.#tracker = engine.createObjectTracker(parameters));
  }

  /**
   * Current targets for an analysis that starts at the beginning of the recording. `first`: a box in its first frame.
   */
  async replay(engine: ElementEngine, parameters: Settings, first: Box | null): Promise<TargetReplay> {
    const tracker = engine.createObjectTracker(parameters);
    const targets: ReplayedTarget[] = [];
    for (const [id, marks] of this.#marks) targets.push({ id, marks, model: await this.#tracker!.exportModel(id) });
    if (first) targets.push({ id: 1, marks: [{ timestamp: -Infinity, box: first }], model: null });
    return TargetReplay.of(tracker, targets);
  }

  async add(box: Box): Promise<number> {
    const id = await this.#need().add(box);
    this.#seen.set(id, true);
    this.#marks.set(id, [this.#mark(box)]);
    this.select(id);
    this.#announce((s) => s.added(id));
    this.#added();
    return id;
  }

  async remove(id: number): Promise<void> {
    await this.#need().remove(id);
    if (this.selected === id) this.select(null);
    this.list(this.listed.filter((target) => target.id !== id));
    this.#seen.delete(id);
    this.#marks.delete(id);
    this.#announce((s) => s.removed(id));
  }

  async correct(id: number, box: Box): Promise<void> {
    const { picture, session } = this.#parts;
    // The displayed frame has a known result, so the tracker has not seen it.
    if (picture.result !== this.#last) await session.current?.refresh();
    const mark = this.#mark(box);
    await this.#need().correct(id, box);
    const marks = this.#marks.get(id);
    marks?.push(mark);
    this.#announce((s) => s.corrected(id));
    if (marks) await this.trackOn?.(id, marks);
  }

  exportModel(id: number): Promise<Uint8Array> {
    return this.#need().exportModel(id);
  }

  /**
   * Runs `work` and shows failures. If nothing plays, the current frame is processed again, so that the box appears.
   */
  attempt(work: () => Promise<unknown>): void {
    const { session, strings, state } = this.#parts;
    const fail = (error: unknown) => session.onFailure(asFoveolaError(error, strings.track.title));
    Promise.resolve()
      .then(work)
      .then(() => void (state.phase !== 'running' && session.current?.refresh()), fail);
  }

  present(result: ObjectResult): void {
    this.#last = result;
    for (const { id, box } of result.targets) {
      if (this.#seen.get(id) === (box !== null)) continue;
      this.#seen.set(id, box !== null);
      this.#announce((s) => (box ? s.found(id) : s.lost(id)));
    }
  }

  forget(): void {
    this.#last = null;
    this.#seen.clear();
  }

  /** Targets belong to their source. An analysis of the source reuses them. */
  closing(): void {
    this.#marks.clear();
    this.select(null);
  }

  left(): void {
    this.#tracker = null;
  }

  #announce(text: (words: ElementParts<ObjectResult>['strings']['track']) => string): void {
    this.#parts.state.announce(text(this.#parts.strings.track));
  }

  #mark(box: Box): Mark {
    return { timestamp: this.#last?.timestamp ?? -Infinity, box: { ...box } };
  }

  #need(): ObjectTracker {
    if (!this.#tracker || !this.#last)
      throw new FoveolaError('source-not-ready', 'No image is open. Open a source first.');
    return this.#tracker;
  }
}
