/**
 * A ruler over the image: a line between two points, for mouse, finger and keyboard. Arrow keys move it, with Shift its
 * second end. Coordinates are source pixels, where 0 is the outer edge of the first pixel.
 */
import { layOver, sourcePoint, type View } from '../base/overlay.ts';
import { make } from '../base/page.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Line = readonly [Point, Point];

export const lengthOf = ([a, b]: Line): number => Math.hypot(b.x - a.x, b.y - a.y);

const within = (value: number, high: number) => Math.min(high, Math.max(0, value));

/** Moves both ends, or one, and keeps them in the image. */
export function moved(
  line: Line,
  ends: readonly (0 | 1)[],
  dx: number,
  dy: number,
  width: number,
  height: number,
): Line {
  const at = (end: 0 | 1): Point => {
    const { x, y } = line[end];
    return ends.includes(end) ? { x: within(x + dx, width), y: within(y + dy, height) } : { x, y };
  };
  return [at(0), at(1)];
}

interface LineHost {
  changed(line: Line): void;
  /** Accessible name, including the numbers. */
  describe(line: Line): string;
  /** Escape outside a gesture, and Delete. */
  leave(): void;
  /** Enter. */
  done(): void;
}

/** Pixels per press of an arrow key. */
const step = 0.5;
const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export class LineTool {
  /** The layer inside the stage. */
  readonly element: HTMLElement;
  readonly #bar = make('div', 'ruler');
  readonly #knobs = [make('span', 'handle'), make('span', 'handle')] as const;
  readonly #host: LineHost;
  #line: Line | null = null;
  #size = { width: 0, height: 0 };
  #view: View | null = null;
  #canvas: HTMLElement | null = null;
  /** The ruler gets the focus when it is shown. */
  #wanted = false;
  #drag: { pointer: number; ends: readonly (0 | 1)[]; at: Point; before: Line } | null = null;

  constructor(host: LineHost) {
    this.#host = host;
    this.#bar.tabIndex = 0;
    // The role application receives the arrow keys. Otherwise screen readers would use them.
    this.#bar.setAttribute('role', 'application');
    this.#knobs.forEach((knob, end) => (knob.dataset.end = String(end)));
    this.element = make('div', 'tool armed', this.#bar, ...this.#knobs);
    this.element.hidden = true;
    this.element.addEventListener('pointerdown', this.#down);
    this.element.addEventListener('pointermove', this.#move);
    for (const type of ['pointerup', 'pointercancel']) this.element.addEventListener(type, () => (this.#drag = null));
    this.#bar.addEventListener('keydown', this.#key);
  }

  /** Null hides the tool. */
  show(line: Line | null, width: number, height: number): void {
    this.#line = line;
    this.#size = { width, height };
    if (!line) this.#drag = null;
    this.#place();
  }

  look(view: View, canvas: HTMLElement): void {
    this.#view = view;
    this.#canvas = canvas;
    layOver(this.element, canvas);
    this.#place();
  }

  /** Focuses the ruler at once, or as soon as it is shown. */
  focus(): void {
    this.#wanted = this.element.hidden === true;
    this.#bar.focus({ preventScroll: true });
  }

  #place(): void {
    const [line, view] = [this.#line, this.#view];
    this.element.hidden = !line || !view;
    if (!line || !view) return;
    const { ratio, scale, scaleY, mirror, width } = view;
    const [a, b] = line.map(({ x, y }) => {
      const across = view.left + x * scale;
      return { x: (mirror ? width - across : across) / ratio, y: (view.top + y * scaleY) / ratio };
    }) as [Point, Point];
    this.#knobs.forEach(({ style }, end) => {
      const { x, y } = [a, b][end]!;
      style.left = `${x}px`;
      style.top = `${y}px`;
    });
    const { style } = this.#bar;
    style.left = `${a.x}px`;
    style.top = `${a.y}px`;
    style.width = `${lengthOf([a, b])}px`;
    style.transform = `rotate(${Math.atan2(b.y - a.y, b.x - a.x)}rad)`;
    this.#bar.setAttribute('aria-label', this.#host.describe(line));
    if (this.#wanted) this.focus();
  }

  #change(line: Line): void {
    this.#line = line;
    this.#place();
    this.#host.changed(line);
  }

  #moveBy(line: Line, ends: readonly (0 | 1)[], dx: number, dy: number): void {
    this.#change(moved(line, ends, dx, dy, this.#size.width, this.#size.height));
  }

  /** A press outside the ruler begins a new one. */
  readonly #down = (event: PointerEvent) => {
    if (event.button !== 0 || !this.#view || !this.#line || this.#drag) return;
    const at = sourcePoint(this.#view, this.#canvas!, event);
    if (!at) return;
    event.preventDefault();
    this.element.setPointerCapture(event.pointerId);
    const target = event.target as HTMLElement;
    const end = target.dataset.end === undefined ? null : (Number(target.dataset.end) as 0 | 1);
    const ends = end !== null ? [end] : target === this.#bar ? ([0, 1] as const) : ([1] as const);
    const before: Line = end !== null || target === this.#bar ? this.#line : [at, at];
    this.#drag = { pointer: event.pointerId, ends, at, before };
    this.focus();
  };

  readonly #move = (event: PointerEvent) => {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.pointer) return;
    const to = sourcePoint(this.#view!, this.#canvas!, event);
    if (to) this.#moveBy(drag.before, drag.ends, to.x - drag.at.x, to.y - drag.at.y);
  };

  readonly #key = (event: KeyboardEvent) => {
    const line = this.#line;
    if (!line || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const arrow = arrows[key];
    if (arrow) {
      const by = step * (event.repeat ? 4 : 1); // a held key moves faster
      const across = this.#view?.mirror ? -arrow[0] : arrow[0];
      this.#moveBy(line, event.shiftKey ? [1] : [0, 1], across * by, arrow[1] * by);
    } else if (key === 'Escape' && this.#drag) {
      const { before } = this.#drag;
      this.#drag = null;
      this.#change(before);
    } else if (key === 'Escape' || key === 'Delete' || key === 'Backspace') this.#host.leave();
    else if (key === 'Enter') this.#host.done();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
