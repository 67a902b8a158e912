import { layOver, sourcePoint, type View } from '../base/overlay.ts';

/**
 * Boxes and discs that a user draws on an image. Coordinates are source pixels, where 0 is the outer edge of the first
 * pixel.
 */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Limits {
  /** Size of the image. */
  width: number;
  height: number;
  /** Minimum width and height. */
  smallest: number;
  /** Discs have equal width and height. */
  disc: boolean;
}

const within = (value: number, low: number, high: number) => Math.min(Math.max(value, low), Math.max(low, high));

/** Moves the box, but not out of the image. */
export const moved = (box: Box, dx: number, dy: number, { width, height }: Limits): Box => ({
  ...box,
  x: within(box.x + dx, 0, width - box.width),
  y: within(box.y + dy, 0, height - box.height),
});

/** A disc of radius `r` about the box's center, limited to the available space. */
export function discAbout(box: Box, r: number, { width, height, smallest }: Limits): Box {
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  const radius = within(r, smallest / 2, Math.min(x, y, width - x, height - y));
  return { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
}

/** Moves the edges named by `handle` (any combination of n, e, s, w). */
export function resized(box: Box, handle: string, dx: number, dy: number, limits: Limits): Box {
  const { width, height, smallest } = limits;
  if (limits.disc) {
    const across = (handle.includes('e') ? dx : 0) - (handle.includes('w') ? dx : 0);
    const down = (handle.includes('s') ? dy : 0) - (handle.includes('n') ? dy : 0);
    return discAbout(box, box.width / 2 + (Math.abs(across) > Math.abs(down) ? across : down), limits);
  }
  let [left, top, right, bottom] = [box.x, box.y, box.x + box.width, box.y + box.height];
  if (handle.includes('w')) left = within(left + dx, 0, right - smallest);
  if (handle.includes('e')) right = within(right + dx, left + smallest, width);
  if (handle.includes('n')) top = within(top + dy, 0, bottom - smallest);
  if (handle.includes('s')) bottom = within(bottom + dy, top + smallest, height);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** A new shape drawn from one point to another: a box between them, or a disc about the first point. */
export function drawn(from: { x: number; y: number }, to: { x: number; y: number }, limits: Limits): Box {
  const inside = (p: { x: number; y: number }) => ({
    x: within(p.x, 0, limits.width),
    y: within(p.y, 0, limits.height),
  });
  const a = inside(from);
  const b = inside(to);
  if (limits.disc) return discAbout({ ...a, width: 0, height: 0 }, Math.hypot(b.x - a.x, b.y - a.y), limits);
  const { smallest, width, height } = limits;
  const w = Math.max(smallest, Math.abs(b.x - a.x));
  const h = Math.max(smallest, Math.abs(b.y - a.y));
  return {
    x: within(Math.min(a.x, b.x), 0, width - w),
    y: within(Math.min(a.y, b.y), 0, height - h),
    width: w,
    height: h,
  };
}

export const rounded = (box: Box): Box => {
  const x = Math.round(box.x);
  const y = Math.round(box.y);
  return { x, y, width: Math.round(box.x + box.width) - x, height: Math.round(box.y + box.height) - y };
};

/** Parses an attribute like `120 80 320 240`: x, y, width and height. Null if it is absent. */
export const boxFrom = (text: string | null): Box | null => {
  if (text === null) return null;
  const [x = NaN, y = NaN, width = NaN, height = NaN] = text
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return { x, y, width, height };
};

// Tool for a box or a disc over the image, for mouse, finger and keyboard. Arrow keys move the shape, with Shift they
// resize it. Escape restores the state before the gesture, or leaves if none is in progress. Delete removes the shape.

interface ShapeHost {
  /**
   * Called while it is drawn (`last` false), and when the gesture ends. Changes of one gesture share the `gesture`
   * value.
   */
  changed(box: Box, last: boolean, gesture: string): void;
  /** Accessible name, including the numbers. */
  describe(box: Box): string;
  /** Escape outside a gesture. */
  leave(): void;
  /** Delete or Backspace. */
  remove(): void;
  /** Enter. */
  done?(): void;
}

const boxHandles = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'];
const discHandles = ['n', 'e', 's', 'w'];
const arrows: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export class ShapeTool {
  /** The layer inside the stage. */
  readonly element = document.createElement('div');
  readonly #shape = document.createElement('div');
  readonly #host: ShapeHost;
  readonly #limits: Limits;
  /** Pixels per press of an arrow key. */
  readonly #step: number;
  #box: Box | null = null;
  #view: View | null = null;
  #canvas: HTMLElement | null = null;
  /** The gesture in progress. */
  #drag: { pointer: number; handle: string; x: number; y: number; before: Box | null } | null = null;
  #gestures = 0;
  /** The shape gets the focus when it is shown. */
  #wanted = false;

  constructor(kind: 'box' | 'disc', host: ShapeHost, options: { smallest?: number; step?: number } = {}) {
    this.#host = host;
    this.#step = options.step ?? 1;
    this.#limits = { width: 0, height: 0, smallest: options.smallest ?? 8, disc: kind === 'disc' };
    this.element.className = 'tool';
    this.element.hidden = true;
    const shape = this.#shape;
    shape.className = `shape ${kind}`;
    shape.tabIndex = 0;
    // The role application receives the arrow keys. Otherwise screen readers would use them.
    shape.setAttribute('role', 'application');
    for (const handle of kind === 'disc' ? discHandles : boxHandles) {
      const knob = document.createElement('span');
      knob.className = `handle ${handle}`;
      knob.dataset.handle = handle;
      shape.append(knob);
    }
    this.element.append(shape);
    this.element.addEventListener('pointerdown', this.#down);
    this.element.addEventListener('pointermove', this.#move);
    this.element.addEventListener('pointerup', this.#up);
    this.element.addEventListener('pointercancel', this.#cancel);
    shape.addEventListener('keydown', this.#key);
  }

  get box(): Box | null {
    return this.#box;
  }

  /** Shows a box on an image of this size. Null hides the tool. */
  show(box: Box | null, width: number, height: number): void {
    this.#limits.width = width;
    this.#limits.height = height;
    if (!this.#drag) this.#box = box;
    this.#place();
  }

  /** The whole image receives the pointer, so that a press starts a new shape. */
  set armed(armed: boolean) {
    this.element.classList.toggle('armed', armed);
    if (armed) this.element.hidden = false;
  }

  /** Sets the position of the image. `canvas` is the overlay, which the layer covers. */
  look(view: View, canvas: HTMLElement): void {
    this.#view = view;
    this.#canvas = canvas;
    layOver(this.element, canvas);
    this.#place();
  }

  /** Focuses the shape at once, or as soon as it is shown. */
  focus(): void {
    this.#wanted = this.#shape.hidden === true;
    this.#shape.focus();
  }

  #place(): void {
    const { element } = this;
    const box = this.#box;
    const view = this.#view;
    element.hidden = !(box || element.classList.contains('armed'));
    this.#shape.hidden = !box || !view;
    if (!box || !view) return;
    const { style } = this.#shape;
    const { ratio } = view;
    const left = view.left + box.x * view.scale;
    const width = box.width * view.scale;
    style.left = `${(view.mirror ? view.width - left - width : left) / ratio}px`;
    style.top = `${(view.top + box.y * view.scaleY) / ratio}px`;
    style.width = `${width / ratio}px`;
    style.height = `${(box.height * view.scaleY) / ratio}px`;
    this.#shape.setAttribute('aria-label', this.#host.describe(box));
    if (this.#wanted) this.focus();
  }

  /** Converts a page point to source pixels. */
  #at(event: PointerEvent): { x: number; y: number } {
    return sourcePoint(this.#view!, this.#canvas!, event) ?? { x: 0, y: 0 };
  }

  #change(box: Box, last: boolean): void {
    this.#box = box;
    this.#place();
    this.#host.changed(box, last, `shape ${this.#gestures}`);
  }

  readonly #down = (event: PointerEvent) => {
    if (event.button !== 0 || !this.#view || this.#drag) return;
    const target = event.target as HTMLElement;
    const handle = target.dataset.handle ?? (target === this.#shape ? 'move' : 'draw');
    event.preventDefault();
    this.element.setPointerCapture(event.pointerId);
    this.#gestures++;
    this.#drag = { pointer: event.pointerId, handle, ...this.#at(event), before: this.#box };
    if (this.#box) this.focus();
  };

  readonly #move = (event: PointerEvent) => {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.pointer) return;
    const at = this.#at(event);
    const [dx, dy] = [at.x - drag.x, at.y - drag.y];
    const limits = this.#limits;
    if (drag.handle === 'draw') {
      if (Math.hypot(dx, dy) >= 3) this.#change(drawn(drag, at, limits), false);
    } else if (drag.handle === 'move') this.#change(moved(drag.before!, dx, dy, limits), false);
    else this.#change(resized(drag.before!, this.#sides(drag.handle), dx, dy, limits), false);
  };

  /** In a mirrored image, the right handle moves the left edge. */
  #sides(handle: string): string {
    if (!this.#view!.mirror) return handle;
    return handle.replace(/[ew]/, (side) => (side === 'e' ? 'w' : 'e'));
  }

  readonly #up = (event: PointerEvent) => {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.pointer) return;
    this.#drag = null;
    if (this.#box && this.#box !== drag.before) this.#change(this.#box, true);
    if (this.#box) this.focus();
  };

  readonly #cancel = () => {
    const drag = this.#drag;
    if (!drag) return;
    this.#drag = null;
    if (drag.before) this.#change(drag.before, false);
    else this.show(null, this.#limits.width, this.#limits.height);
  };

  readonly #key = (event: KeyboardEvent) => {
    const box = this.#box;
    if (!box || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const arrow = arrows[key];
    if (key === 'Escape') {
      if (this.#drag) this.#cancel();
      else this.#host.leave();
    } else if (key === 'Delete' || key === 'Backspace') this.#host.remove();
    else if (key === 'Enter' && this.#host.done) this.#host.done();
    else if (arrow) {
      const step = this.#step * (event.repeat ? 4 : 1); // a held key moves faster
      const [dx, dy] = [arrow[0] * step * (this.#view?.mirror ? -1 : 1), arrow[1] * step];
      if (!event.repeat) this.#gestures++;
      const grown = () =>
        this.#limits.disc
          ? discAbout(box, box.width / 2 + (arrow[0] - arrow[1]) * step, this.#limits)
          : resized(box, 'es', arrow[0] * step, dy, this.#limits);
      this.#change(event.shiftKey ? grown() : moved(box, dx, dy, this.#limits), true);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
