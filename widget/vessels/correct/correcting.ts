/**
 * Measures of the vessels, and their manual correction: the list of corrections, the tools over the image, and the
 * resulting measures. Loaded with the first result.
 */
import {
  checkCorrections,
  CorrectionHistory,
  type RetinalMeasures,
  type VesselCorrection,
  asFoveolaError,
} from '../../../src/index.ts';
import type { RetinaRow } from '../../../src/internal.ts';
import { Brush } from '../../tools/brush.ts';
import type { Rendered } from '../../base/kind.ts';
import type { View } from '../../base/overlay.ts';
import { medianWidth } from '../figures.ts';
import type { VesselFrame } from '../tracker.ts';
import {
  type Circle,
  discCorrection,
  DiscDrag,
  draws,
  pressed,
  tenth,
  type Tool,
  toolKeys,
  toolOf,
  drawCorrecting,
} from './tools.ts';
import {
  type CorrectingHost,
  type Kit,
  correctToolbar,
  type Corrected,
  type CorrectingEngine,
  Measuring,
} from './views.ts';

export { printedReport, retinaReport } from './tools.ts';
export { Visits } from '../visits.ts';

/** Maximum distance of a press from a centerline, in screen pixels. */
const REACH = 14;
/** Keyboard changes of the disc's size within this many milliseconds count as one. */
const TOGETHER = 800;

export class Correcting {
  readonly #host: CorrectingHost;
  readonly #kit: Kit;
  readonly #history = new CorrectionHistory();
  readonly #brush: Brush;
  #measuring: Measuring | null = null;
  #measured: Corrected | null = null;
  /** Number of the last requested list. */
  #turn = 0;
  #on = false;
  #tool: Tool = 'add';
  #size = 0;
  #line: { points: number[]; erase: boolean } | null = null;
  #drag: DiscDrag | null = null;
  #view: View | null = null;
  #resizedAt = -Infinity;
  #work: Promise<void> = Promise.resolve();

  constructor(host: CorrectingHost, kit: Kit) {
    this.#host = host;
    this.#kit = kit;
    this.#brush = new Brush({
      begin: (x, y) => this.#begin(x, y),
      extend: (x, y) => this.#extend(x, y),
      end: () => this.#end(),
      size: (change) => this.#resize(change),
      leave: () => host.leave(),
      describe: (x, y, down) => {
        const { correct: s } = host.parts.strings.vessels;
        return s.at(s.tools[this.#tool], Math.round(x), Math.round(y), down);
      },
    });
  }

  /** The layer over the image. */
  get layer(): HTMLElement {
    return this.#brush.element;
  }

  get list(): readonly VesselCorrection[] {
    return this.#history.current;
  }

  get retina(): RetinalMeasures | null {
    return this.#measured?.retina ?? null;
  }

  get rows(): readonly RetinaRow[] | null {
    return this.#measured?.rows ?? null;
  }

  /** Replaces all corrections. Throws 'invalid-argument' if they do not fit the photograph. */
  set(corrections: readonly VesselCorrection[]): void {
    this.#history.set(checkCorrections(corrections, this.#measuring?.automatic));
    void this.#measure('');
  }

  /** Whether a photograph is open for correction. */
  get ready(): boolean {
    return this.#measuring !== null;
  }

  /**
   * Sets another automatic result. Null: none. The corrections are applied to it, or the ones in `asked` instead, if
   * they fit the photograph.
   */
  async automatic(frame: VesselFrame | null, asked: readonly VesselCorrection[] | null = null): Promise<void> {
    this.#measuring?.cancel();
    this.#measuring = this.#measured = null;
    const turn = ++this.#turn;
    if (!frame) return;
    const { session } = this.#host.parts;
    try {
      if (asked) this.#history.set(checkCorrections(asked, frame));
    } catch (error) {
      session.onFailure(asFoveolaError(error, 'Correcting'));
    }
    const [picture, engine] = await Promise.all([this.#host.picture(), session.takeEngine()]);
    if (!picture || turn !== this.#turn) return;
    this.#measuring = new Measuring(frame, picture, engine as CorrectingEngine);
    this.#size ||= Math.max(3, Math.round(medianWidth(frame.segments ?? []) ?? frame.width / 100));
    await this.#measure('');
  }

  /** Resolves when all requested corrections have been measured. */
  measured(): Promise<void> {
    return this.#work;
  }

  /** Called when the photograph closes. Its corrections are discarded. */
  forget(): void {
    this.#history.set([]);
    this.#size = 0;
    void this.automatic(null);
  }

  /** Measures again, for example after a change of the scale. */
  refresh(): void {
    if (this.#measured) void this.#measure('');
  }

  undo(): boolean {
    const { takenBack, done } = this.#host.parts.strings.vessels.correct;
    const correction = this.#history.undo();
    if (correction) void this.#measure(takenBack(done[toolOf(correction)]));
    return correction !== null;
  }

  redo(): boolean {
    const { again, done } = this.#host.parts.strings.vessels.correct;
    const correction = this.#history.redo();
    if (correction) void this.#measure(again(done[toolOf(correction)]));
    return correction !== null;
  }

  /** Undoes all corrections. They can be redone. */
  reset(): void {
    while (this.#history.undo());
    void this.#measure(this.#host.parts.strings.vessels.correct.none);
  }

  /** Shows or hides the tools over the image. */
  show(on: boolean): void {
    const { feed } = this.#host.parts;
    const before = this.#on;
    this.#on = on && this.#measuring !== null;
    const radius = draws(this.#tool) ? this.#size / 2 : this.#reach / 2;
    this.#brush.show(this.#on, feed?.width ?? 0, feed?.height ?? 0, radius);
    if (this.#on && !before) this.#brush.element.focus();
  }

  viewChanged(view: View, overlay: HTMLCanvasElement): void {
    this.#view = view;
    this.#brush.look(view, overlay);
  }

  onKey(event: KeyboardEvent): boolean {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      if (event.altKey || !['z', 'y'].includes(key)) return false;
      if (key === 'y' || event.shiftKey) this.redo();
      else this.undo();
      return true;
    }
    const tool = event.altKey ? undefined : toolKeys[key];
    if (!tool) return false;
    this.#choose(tool);
    this.#host.parts.state.announce(this.#host.parts.strings.vessels.correct.tools[tool]);
    return true;
  }

  draw(context: CanvasRenderingContext2D, unit: number, halo: string): void {
    const line = this.#line && { ...this.#line, width: this.#size };
    const { kinds = [], frame } = this.#measured ?? {};
    const disc = this.#drag?.now ?? this.#disc;
    drawCorrecting(context, { segments: frame?.segments ?? [], kinds, retina: this.retina, disc, line }, unit, halo);
  }

  render(): Rendered {
    const { strings, feed } = this.#host.parts;
    const { canUndo, canRedo, current } = this.#history;
    const longer = Math.max(feed?.width ?? 0, feed?.height ?? 0);
    const model = { tool: this.#tool, size: this.#size || 1, greatest: Math.max(30, Math.round(longer / 25)) };
    return correctToolbar(
      this.#kit,
      strings,
      { ...model, count: current.length, canUndo, canRedo },
      {
        tool: (tool) => this.#choose(tool),
        size: (size) => this.#set(() => (this.#size = size)),
        undo: () => this.undo(),
        redo: () => this.redo(),
        reset: () => this.reset(),
      },
    );
  }

  get #disc(): Circle | null {
    return this.retina?.disc ?? null;
  }

  get #reach(): number {
    const view = this.#view;
    return view ? (REACH * view.ratio) / view.scale : REACH;
  }

  #set(change: () => void): void {
    change();
    this.#host.parts.host.element.requestUpdate();
  }

  #choose(tool: Tool): void {
    this.#set(() => (this.#tool = tool));
  }

  #begin(x: number, y: number): boolean {
    const tool = this.#tool;
    const { feed, strings, state } = this.#host.parts;
    if (!feed || !this.#measuring) return false;
    if (draws(tool)) this.#line = { points: [tenth(x), tenth(y)], erase: tool === 'erase' };
    else if (tool === 'disc') this.#drag = new DiscDrag(this.#disc, x, y, feed.width / 15);
    else {
      const { width, height } = feed;
      const segments = (this.#measured?.frame ?? this.#measuring.automatic).segments ?? [];
      const correction = pressed(tool, { segments, width, height }, { x, y, reach: this.#reach });
      if (correction) this.#correct(correction);
      else state.announce(strings.vessels.correct.noVessel);
      return false;
    }
    this.#host.redraw();
    return true;
  }

  #extend(x: number, y: number): void {
    this.#drag?.move(x, y);
    const points = this.#line?.points;
    // A resting hand produces the same point many times.
    if (points && Math.hypot(x - points.at(-2)!, y - points.at(-1)!) >= 0.5) points.push(tenth(x), tenth(y));
    this.#host.redraw();
  }

  #end(): void {
    const { feed } = this.#host.parts;
    const [line, drag] = [this.#line, this.#drag];
    this.#line = this.#drag = null;
    if (drag && feed) this.#correct(discCorrection(drag.now, feed));
    if (!line || !feed) return;
    const inside = (v: number, i: number) => Math.max(0, Math.min((i % 2 ? feed.height : feed.width) - 1, v));
    this.#correct({ action: line.erase ? 'erase' : 'add', points: line.points.map(inside), width: this.#size });
  }

  #resize(change: 1 | -1): void {
    const { feed } = this.#host.parts;
    const disc = this.#disc;
    if (this.#tool !== 'disc') {
      const size = Math.max(change > 0 ? this.#size + 1 : 1, Math.round(this.#size * (change > 0 ? 1.25 : 0.8)));
      return this.#set(() => (this.#size = Math.min(500, size)));
    }
    if (!disc || !feed) return;
    const now = performance.now();
    if (now - this.#resizedAt < TOGETHER && this.#history.current.at(-1)?.action === 'disc') this.#history.undo();
    this.#resizedAt = now;
    this.#correct(discCorrection({ ...disc, radius: disc.radius * (change > 0 ? 1.05 : 0.95) }, feed));
  }

  #correct(correction: VesselCorrection): void {
    this.#history.add(correction);
    void this.#measure(this.#host.parts.strings.vessels.correct.done[toolOf(correction)]);
  }

  /** `announced`: text for screen readers about the change. '': nothing has changed, and nothing is announced. */
  #measure(announced: string): Promise<void> {
    return (this.#work = this.#follow(announced));
  }

  async #follow(announced: string): Promise<void> {
    const measuring = this.#measuring;
    const turn = ++this.#turn;
    const { parts } = this.#host;
    if (!measuring) return;
    try {
      const list = this.list;
      // The mask updates at once, the measures once they are ready.
      if (announced)
        this.#host.show({ ...(this.#measured?.frame ?? measuring.automatic), ...measuring.preview(list) }, null);
      const measured = await measuring.measure(list, this.#host.scale() ?? 0);
      if (turn !== this.#turn) return;
      this.#measured = measured;
      this.#host.show(measured.frame, measured);
      parts.host.element.requestUpdate();
      this.#host.redraw();
      const { vessels: s } = parts.strings;
      const { fraction, branchPoints } = measured.frame;
      const found = s.found(`${parts.strings.number(100 * fraction, 1)} %`, branchPoints?.length ?? 0);
      if (announced) parts.state.announce(`${announced}. ${found}. ${s.correct.count(list.length)}.`);
      this.#host.corrected();
    } catch (error) {
      const failure = asFoveolaError(error, 'Correcting');
      if (turn === this.#turn) parts.session.onFailure(failure);
    }
  }
}
