/** Boxes of targets: the one in the attribute `box`, and those drawn by hand. */
import type { PropertyValues } from 'lit';
import type { ObjectResult } from '../../src/index.ts';
import type { ElementParts } from '../base/element-parts.ts';
import { type Box, rounded, ShapeTool } from '../tools/shape.ts';
import type { TargetsController } from './targets.ts';
import type { View } from '../base/overlay.ts';
import { Store } from '../base/host.ts';

// The target in the attribute `box`: which source it belongs to, and when it is added.

export class PresetController {
  readonly #parts: ElementParts<ObjectResult>;
  readonly #own: { readonly box: Box | null };
  readonly #targets: TargetsController;
  /** The open source, and the source for which `box` was set. Null: the next one. */
  #source: unknown = null;
  #boxSource: unknown = null;
  /** The box already applied to the open source. */
  #taken = 'null';
  #begun = false;

  constructor(parts: ElementParts<ObjectResult>, own: { readonly box: Box | null }, targets: TargetsController) {
    this.#parts = parts;
    this.#own = own;
    this.#targets = targets;
    parts.host.add(this);
  }

  /** Returns `box` if it was set for the open source and no frame has been processed yet. */
  get pending(): Box | null {
    return this.#begun ? null : this.box;
  }

  /** `box` if it was set for the open source. */
  get box(): Box | null {
    return this.#boxSource === this.#source ? this.#own.box : null;
  }

  sourceChosen(source: unknown): void {
    this.#source = source;
    this.#boxSource ??= source;
  }

  present(): void {
    if (this.#begun || this.#parts.analysis.running) return;
    this.#begun = true;
    this.#add();
  }

  updated(changed: PropertyValues): void {
    if (!changed.has('box')) return;
    this.#boxSource = this.#source;
    if (this.#begun && !this.#parts.analysis.running) this.#add();
  }

  closing(): void {
    this.#source = null;
    this.#taken = 'null';
    this.#begun = false;
  }

  left(): void {
    this.closing();
  }

  #add(): void {
    const { box } = this;
    // Frameworks set the same box on every render.
    if (JSON.stringify(box) === this.#taken) return;
    this.#taken = JSON.stringify(box);
    if (box) this.#targets.attempt(() => this.#targets.add(box));
  }
}

// Draws a box by hand, for a new target or to correct the selected one. Playback stops meanwhile.

type Mode = 'add' | 'correct';

export class BoxDrawingController {
  readonly #parts: ElementParts<ObjectResult>;
  readonly #targets: TargetsController;
  readonly #store: Store<{ mode: Mode | null }>;
  readonly #tool: ShapeTool;
  #pending: Box | null = null;
  /** The box is being drawn with mouse or finger, and counts when released. With the keyboard, Enter confirms it. */
  #pointer = false;
  /** Resumes the playback that was stopped for drawing. */
  #thaw: (() => void) | null = null;

  constructor(parts: ElementParts<ObjectResult>, targets: TargetsController) {
    this.#parts = parts;
    this.#targets = targets;
    this.#store = new Store<{ mode: Mode | null }>({ mode: null }, () => parts.host.element.requestUpdate());
    this.#tool = new ShapeTool(
      'box',
      {
        changed: (box, last) => {
          this.#pending = box;
          if (last && this.#pointer) this.#commit();
        },
        describe: (box) => parts.strings.track.boxAt(rounded(box)),
        leave: () => this.#stop(),
        remove: () => this.#stop(),
        done: () => this.#commit(),
      },
      { smallest: 10, step: 2 },
    );
    const { element } = this.#tool;
    element.addEventListener('pointerdown', () => (this.#pointer = true), { capture: true });
    element.addEventListener('keydown', () => (this.#pointer = false), { capture: true });
    parts.host.add(this);
  }

  /** Current mode: drawing a box for a new target, or correcting the box of the selected target. */
  get mode(): Mode | null {
    return this.#store.state.mode;
  }

  /** The layer over the image. */
  get layer(): HTMLElement {
    return this.#tool.element;
  }

  toggle(mode: Mode): void {
    const { feed, state, strings, host } = this.#parts;
    if (!feed) return;
    if (this.mode === mode) return this.#stop();
    if (this.mode === null) this.#freeze();
    this.#store.set({ mode });
    this.#pointer = false;
    const { result } = this.#parts.picture;
    const target = (result ?? this.#targets.last)?.targets.find(({ id }) => id === this.#targets.selected);
    const quarter = { x: 0.375 * feed.width, y: 0.375 * feed.height, width: feed.width / 4, height: feed.height / 4 };
    this.#pending = rounded((mode === 'correct' && target?.box) || quarter);
    this.#tool.show(this.#pending, feed.width, feed.height);
    this.#tool.armed = mode === 'add';
    state.announce(strings.track.drawHint);
    void host.element.updateComplete.then(() => this.#tool.focus());
  }

  viewChanged(view: View, overlay: HTMLCanvasElement): void {
    this.#tool.look(view, overlay);
  }

  updated(changed: PropertyValues): void {
    const { feed, host } = this.#parts;
    if (changed.has('paused') && !host.element.paused && this.#thaw) this.#stop();
    if (feed) this.#tool.show(this.#pending, feed.width, feed.height);
    if (this.mode === 'add') this.#tool.armed = true;
  }

  closing(): void {
    this.#stop(false);
    this.#thaw = null;
  }

  left(): void {
    this.#thaw = null;
  }

  /** A box can only be drawn on a still frame that the tracker has processed. */
  #freeze(): void {
    const { session, feed, host } = this.#parts;
    const { current } = session;
    if (!current?.moving) return;
    const { element } = host;
    const goOn = !element.paused && (current.running || feed!.external);
    element.paused = true;
    const thaw = current.freeze();
    this.#thaw = () => {
      thaw();
      if (goOn) element.paused = false;
    };
  }

  #goOn(): void {
    const thaw = this.#thaw;
    this.#thaw = null;
    thaw?.();
  }

  #stop(goOn = true): void {
    const { feed, host } = this.#parts;
    const drawing = this.mode !== null;
    this.#store.set({ mode: null });
    this.#pending = null;
    this.#tool.armed = false;
    this.#tool.show(null, feed?.width ?? 0, feed?.height ?? 0);
    if (drawing) host.focusStage();
    if (goOn) this.#goOn();
  }

  // The tracker gets the box before the next frame.
  #commit(): void {
    const targets = this.#targets;
    const [box, mode, { selected }] = [this.#pending, this.mode, targets];
    if (!box || !mode) return;
    this.#stop(false);
    const goOn = () => this.#goOn();
    if (mode === 'correct' && selected !== null) targets.attempt(() => targets.correct(selected, box).finally(goOn));
    else
      targets.attempt(async () => {
        let id = await targets.add(box).finally(goOn);
        this.#parts.settings.remember({
          ofSource: true,
          undo: () => targets.attempt(() => targets.remove(id)),
          redo: () => targets.attempt(async () => (id = await targets.add(box))),
        });
      });
  }
}
