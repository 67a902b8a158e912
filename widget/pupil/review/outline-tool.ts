/**
 * The outline of a pupil as a shape over the image, for mouse, finger and keyboard. The user moves its center and
 * the ends of its axes, or draws a new one.
 */
import type { Ellipse } from '../../../src/index.ts';
import { layOver, sourcePoint, type View } from '../../base/overlay.ts';

interface Point {
  x: number;
  y: number;
}

export interface OutlineHost {
  /** The gesture has changed the outline. `last`: it has ended. */
  changed(ellipse: Ellipse, last: boolean): void;
  /** Accessible name, including the numbers. */
  describe(ellipse: Ellipse): string;
  /** Escape outside a gesture, and Delete. */
  leave(): void;
  remove(): void;
}

/** Minimum axis, in source pixels. */
const smallest = 2;
/** Pixels per press of an arrow key, and its factor while the key is held. */
const step = 0.5;
const held = 4;
const turn = Math.PI / 36;

const within = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);

/** The major axis is the longer one, and the angle is in [0, pi). */
export function inOrder({ x, y, major, minor, angle }: Ellipse): Ellipse {
  const turned = angle + (minor > major ? Math.PI / 2 : 0);
  const [long, short] = [Math.max(major, minor, smallest), Math.max(Math.min(major, minor), smallest)];
  return { x, y, major: long, minor: short, angle: ((turned % Math.PI) + Math.PI) % Math.PI };
}

/** Moves an end of an axis to a point. The ends of the major axis (e, w) also turn it. */
export function pulled(ellipse: Ellipse, handle: string, to: Point): Ellipse {
  const { x, y, angle } = ellipse;
  const sign = handle === 'w' || handle === 'n' ? -1 : 1;
  const [dx, dy] = [sign * (to.x - x), sign * (to.y - y)];
  if (handle === 'e' || handle === 'w')
    return inOrder({ ...ellipse, major: Math.max(smallest, 2 * Math.hypot(dx, dy)), angle: Math.atan2(dy, dx) });
  const across = Math.abs(dy * Math.cos(angle) - dx * Math.sin(angle));
  return inOrder({ ...ellipse, minor: Math.max(smallest, 2 * across) });
}

/** The outline after a key, or null if the key does nothing. `mirror`: the image is shown mirrored. */
export function keyed(ellipse: Ellipse, event: KeyboardEvent, mirror: boolean): Ellipse | null {
  const by = step * (event.repeat ? held : 1);
  const { key, shiftKey } = event;
  const across = { ArrowLeft: -by, ArrowRight: by }[key] ?? 0;
  const up = { ArrowUp: by, ArrowDown: -by }[key] ?? 0;
  const turned = { PageUp: -turn, PageDown: turn }[key] ?? 0;
  if (!across && !up && !turned) return null;
  const { x, y, major, minor, angle } = ellipse;
  if (turned) return inOrder({ ...ellipse, angle: angle + (mirror ? -turned : turned) });
  if (!shiftKey) return { ...ellipse, x: x + (mirror ? -across : across), y: y - up };
  if (up) return inOrder({ ...ellipse, major: major + 2 * up, minor: minor + 2 * up });
  return inOrder({ ...ellipse, minor: Math.min(major, minor + 2 * across) });
}

export class OutlineTool {
  /** The layer inside the stage. */
  readonly element = document.createElement('div');
  readonly #shape = document.createElement('div');
  readonly #host: OutlineHost;
  #size = { width: 0, height: 0 };
  #ellipse: Ellipse | null = null;
  #view: View | null = null;
  #canvas: HTMLElement | null = null;
  #drag: { pointer: number; handle: string; at: Point; before: Ellipse | null } | null = null;
  #wanted = false;

  constructor(host: OutlineHost) {
    this.#host = host;
    this.element.className = 'tool';
    this.element.hidden = true;
    const shape = this.#shape;
    shape.className = 'shape disc';
    shape.tabIndex = 0;
    // The role application receives the arrow keys. Otherwise screen readers would use them.
    shape.setAttribute('role', 'application');
    for (const handle of ['n', 'e', 's', 'w']) {
      const knob = document.createElement('span');
      knob.className = `handle ${handle}`;
      knob.dataset.handle = handle;
      shape.append(knob);
    }
    this.element.append(shape);
    this.element.addEventListener('pointerdown', this.#down);
    this.element.addEventListener('pointermove', this.#move);
    this.element.addEventListener('pointerup', this.#up);
    this.element.addEventListener('pointercancel', () => this.#cancel());
    shape.addEventListener('keydown', this.#key);
  }

  /** Shows an outline on an image of this size. Null: none, but one can be drawn. `on` false hides the tool. */
  show(on: boolean, ellipse: Ellipse | null, width: number, height: number): void {
    this.element.hidden = !on;
    this.element.classList.toggle('armed', on);
    this.#size = { width, height };
    if (!this.#drag) this.#ellipse = ellipse;
    this.#place();
  }

  look(view: View, canvas: HTMLElement): void {
    this.#view = view;
    this.#canvas = canvas;
    layOver(this.element, canvas);
    this.#place();
  }

  /** Focuses the outline at once, or as soon as it is shown. */
  focus(): void {
    this.#wanted = this.#shape.hidden === true;
    this.#shape.focus({ preventScroll: true });
  }

  #place(): void {
    const [ellipse, view, shape] = [this.#ellipse, this.#view, this.#shape];
    shape.hidden = !ellipse || !view;
    if (!ellipse || !view) return;
    const { ratio, scale, scaleY, mirror } = view;
    const left = view.left + (ellipse.x + 0.5) * scale;
    const [across, down] = [(ellipse.major * scale) / ratio, (ellipse.minor * scale) / ratio];
    const { style } = shape;
    style.left = `${(mirror ? view.width - left : left) / ratio - across / 2}px`;
    style.top = `${(view.top + (ellipse.y + 0.5) * scaleY) / ratio - down / 2}px`;
    style.width = `${across}px`;
    style.height = `${down}px`;
    style.transform = `scale(1, ${scaleY / scale}) rotate(${mirror ? -ellipse.angle : ellipse.angle}rad)`;
    shape.setAttribute('aria-label', this.#host.describe(ellipse));
    if (this.#wanted) this.focus();
  }

  #change(ellipse: Ellipse, last: boolean): void {
    const { width, height } = this.#size;
    this.#ellipse = { ...ellipse, x: within(ellipse.x, 0, width - 1), y: within(ellipse.y, 0, height - 1) };
    this.#place();
    this.#host.changed(this.#ellipse, last);
  }

  /** Converts a page point to source pixels. Pixel centers are whole numbers. */
  #at(event: PointerEvent): Point {
    const { x, y } = sourcePoint(this.#view!, this.#canvas!, event) ?? { x: 0, y: 0 };
    return { x: x - 0.5, y: y - 0.5 };
  }

  readonly #down = (event: PointerEvent) => {
    if (event.button !== 0 || !this.#view || this.#drag) return;
    const target = event.target as HTMLElement;
    const handle = target.dataset.handle ?? (target === this.#shape ? 'move' : 'draw');
    event.preventDefault();
    this.element.setPointerCapture(event.pointerId);
    // In a mirrored image, the right handle is at the left.
    const swapped = this.#view.mirror ? { e: 'w', w: 'e' }[handle] : undefined;
    this.#drag = { pointer: event.pointerId, handle: swapped ?? handle, at: this.#at(event), before: this.#ellipse };
    if (this.#ellipse) this.focus();
  };

  readonly #move = (event: PointerEvent) => {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.pointer) return;
    const { handle, before, at } = drag;
    const to = this.#at(event);
    const radius = Math.hypot(to.x - at.x, to.y - at.y);
    if (handle === 'draw') {
      if (radius >= 3) this.#change({ ...at, major: 2 * radius, minor: 2 * radius, angle: 0 }, false);
    } else if (handle === 'move')
      this.#change({ ...before!, x: before!.x + to.x - at.x, y: before!.y + to.y - at.y }, false);
    else this.#change(pulled(before!, handle, to), false);
  };

  readonly #up = (event: PointerEvent) => {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.pointer) return;
    this.#drag = null;
    if (this.#ellipse && this.#ellipse !== drag.before) this.#change(this.#ellipse, true);
    if (this.#ellipse) this.focus();
  };

  #cancel(): void {
    const drag = this.#drag;
    this.#drag = null;
    this.#ellipse = drag?.before ?? null;
    this.#place();
  }

  readonly #key = (event: KeyboardEvent) => {
    const ellipse = this.#ellipse;
    if (!ellipse || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = keyed(ellipse, event, this.#view?.mirror ?? false);
    if (next) this.#change(next, true);
    else if (event.key === 'Escape') {
      if (this.#drag) this.#cancel();
      else this.#host.leave();
    } else if (event.key === 'Delete' || event.key === 'Backspace') this.#host.remove();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
