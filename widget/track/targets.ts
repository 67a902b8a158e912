/**
 * The targets of an element: added, corrected and removed in the frame that was processed last, announced when they are lost and
 * found, and taken along into an analysis of the recording.
 */
import { asFoveolaError, FoveolaError, type ObjectResult, type ObjectTracker } from '../../src/index.ts';
import type { ElementParts } from '../parts/element-parts.ts';
import type { ElementEngine } from '../parts/engine.ts';
import type { Settings } from '../parts/kind.ts';
import type { Box } from '../parts/shape.ts';
import { Store } from '../parts/store.ts';
import { TargetReplay, type Mark, type ReplayedTarget } from './target-replay.ts';

type Targets = ObjectResult['targets'];

export class TargetsController {
  readonly #parts: ElementParts<ObjectResult>;
  readonly #store: Store<{ selected: number | null; listed: Targets }>;
  #tracker: ObjectTracker | null = null;
  #last: ObjectResult | null = null;
  /** Boxes by hand of each target, in the order in which they were drawn. */
  readonly #marks = new Map<number, Mark[]>();
  readonly #seen = new Map<number, boolean>();

  constructor(parts: ElementParts<ObjectResult>) {
    this.#parts = parts;
    this.#store = new Store<{ selected: number | null; listed: Targets }>({ selected: null, listed: [] }, () =>
      parts.host.element.requestUpdate(),
    );
    parts.host.add(this);
  }

  get selected(): number | null {
    return this.#store.state.selected;
  }

  select(selected: number | null): void {
    if (this.#store.set({ selected })) this.#parts.host.kind.draw();
  }

  /** As they are shown in the list, which is brought up to date less often than frames come. */
  get listed(): Targets {
    return this.#store.state.listed;
  }

  list(listed: Targets): void {
    this.#store.set({ listed });
  }

  /** Of the frame that was processed last. */
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

  /** The targets as they are now, for an analysis from the recording's beginning; `first`: a box of its first frame. */
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
    const mark = this.#mark(box);
    await this.#need().correct(id, box);
    this.#marks.get(id)?.push(mark);
    this.#announce((s) => s.corrected(id));
  }

  /** Failures are shown. Where nothing plays, the frame that stands is processed once more, so that the box is shown. */
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

  /** Targets are of their source; an analysis of it takes them along. */
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
      throw new FoveolaError('source-not-ready', 'There is no picture yet. Open a source first.');
    return this.#tracker;
  }
}
