/**
 * A brush over the image, for mouse, finger, pen and keyboard. Arrow keys move it (with Shift by one pixel), Space
 * presses and lifts it, + and - change its size. Escape lifts it, then leaves. A tool that does not draw lines acts
 * where the brush is pressed.
 */
import { css } from 'lit';
import { layOver, sourcePoint, type View } from '../base/overlay.ts';

// The brush over the image.

export const brushStyle = css`
  .brush {
    cursor: none;
  }
  .brush:focus-visible {
    outline: 3px solid var(--_shape);
    outline-offset: -3px;
  }
  .ring {
    position: absolute;
    border: 2px solid #fff;
    border-radius: 50%;
    box-shadow:
      0 0 0 1px rgb(0 0 0 / 70%),
      inset 0 0 0 1px rgb(0 0 0 / 70%);
    pointer-events: none;
    translate: -50% -50%;
  }
  .ring.down {
    border-color: #ff4060;
  }
`;

interface BrushHost {
  /** Starts a new stroke here, in image pixels. False: the press is complete, and no line follows. */
  begin(x: number, y: number): boolean | void;
  extend(x: number, y: number): void;
  end(): void;
  size(change: 1 | -1): void;
  /** Key E. */
  erase?(): void;
  /** Key Enter. Without it, Enter works like the space bar. */
  done?(): void;
  /** Delete or Backspace. */
  clear?(): void;
  /** Escape while the brush is lifted. */
  leave(): void;
  /** Accessible name, with position and keys. */
  describe(x: number, y: number, down: boolean): string;
}

const arrows: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export class Brush {
  /** The layer inside the stage. */
  readonly element = document.createElement('div');
  readonly #ring = document.createElement('span');
  readonly #host: BrushHost;
  #view: View | null = null;
  #canvas: HTMLElement | null = null;
  #size = { width: 0, height: 0 };
  #radius = 10;
  #x = 0;
  #y = 0;
  /** Id of the painting pointer. -1: the keyboard. */
  #down: number | null = null;

  constructor(host: BrushHost) {
    this.#host = host;
    const { element } = this;
    element.className = 'tool brush armed';
    element.hidden = true;
    element.tabIndex = 0;
    // The role application receives the arrow keys. Otherwise screen readers would use them.
    element.setAttribute('role', 'application');
    this.#ring.className = 'ring';
    element.append(this.#ring);
    element.addEventListener('pointerdown', this.#onDown);
    element.addEventListener('pointermove', this.#onMove);
    element.addEventListener('pointerup', this.#onUp);
    element.addEventListener('pointercancel', this.#onUp);
    element.addEventListener('keydown', this.#onKey);
    element.addEventListener('focus', () => this.#place());
    element.addEventListener('blur', () => this.#lift());
  }

  /** Shows the brush over an image of this size, or hides it. */
  show(on: boolean, width: number, height: number, radius: number): void {
    if (width !== this.#size.width || height !== this.#size.height) {
      this.#size = { width, height };
      this.#x = Math.round(width / 2);
      this.#y = Math.round(height / 2);
    }
    this.#radius = radius;
    if (!on) this.#lift();
    this.element.hidden = !on;
    this.#place();
  }

  /** Sets the position of the image. `canvas` is the overlay, which the layer covers. */
  look(view: View, canvas: HTMLElement): void {
    this.#view = view;
    this.#canvas = canvas;
    layOver(this.element, canvas);
    this.#place();
  }

  #place(): void {
    const view = this.#view;
    if (!view || this.element.hidden) return;
    const { ratio, scale, scaleY } = view;
    const across = view.left + (this.#x + 0.5) * scale;
    const { style } = this.#ring;
    style.left = `${(view.mirror ? view.width - across : across) / ratio}px`;
    style.top = `${(view.top + (this.#y + 0.5) * scaleY) / ratio}px`;
    style.width = `${(2 * this.#radius * scale) / ratio}px`;
    style.height = `${(2 * this.#radius * scaleY) / ratio}px`;
    this.#ring.classList.toggle('down', this.#down !== null);
    this.element.setAttribute('aria-label', this.#host.describe(this.#x, this.#y, this.#down !== null));
  }

  #take(event: PointerEvent): void {
    const at = sourcePoint(this.#view!, this.#canvas!, event);
    if (!at) return;
    this.#x = at.x - 0.5;
    this.#y = at.y - 0.5;
  }

  #put(down: number): void {
    this.#down = down;
    if (this.#host.begin(this.#x, this.#y) === false) this.#down = null;
  }

  #lift(): void {
    if (this.#down === null) return;
    this.#down = null;
    this.#host.end();
    this.#place();
  }

  readonly #onDown = (event: PointerEvent) => {
    if (event.button !== 0 || !this.#view) return;
    event.preventDefault();
    this.#lift();
    this.element.focus();
    this.element.setPointerCapture(event.pointerId);
    this.#take(event);
    this.#put(event.pointerId);
    this.#place();
  };

  readonly #onMove = (event: PointerEvent) => {
    if (!this.#view || (this.#down !== null && event.pointerId !== this.#down)) return;
    // A fast hand produces more points than there are frames.
    const events = this.#down === null ? [event] : event.getCoalescedEvents?.() || [event];
    for (const each of events.length ? events : [event]) {
      this.#take(each);
      if (this.#down !== null) this.#host.extend(this.#x, this.#y);
    }
    this.#place();
  };

  readonly #onUp = (event: PointerEvent) => {
    if (event.pointerId === this.#down) this.#lift();
  };

  readonly #onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!this.#act(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  #act({ key, shiftKey, repeat }: KeyboardEvent): boolean {
    const arrow = arrows[key];
    if (arrow) {
      const step = shiftKey ? 1 : Math.max(1, Math.round(this.#radius / 2));
      const mirrored = this.#view?.mirror ? -1 : 1;
      this.#x = Math.max(0, Math.min(this.#size.width - 1, Math.round(this.#x + arrow[0] * step * mirrored)));
      this.#y = Math.max(0, Math.min(this.#size.height - 1, Math.round(this.#y + arrow[1] * step)));
      if (this.#down === -1) this.#host.extend(this.#x, this.#y);
    } else if (key === ' ' || (key === 'Enter' && !this.#host.done)) {
      if (repeat) return true;
      if (this.#down !== null) this.#lift();
      else this.#put(-1);
    } else if (key === '+' || key === '-') this.#host.size(key === '+' ? 1 : -1);
    else if ((key === 'e' || key === 'E') && this.#host.erase) this.#host.erase();
    else if (key === 'Enter') {
      this.#lift();
      this.#host.done!();
    } else if ((key === 'Delete' || key === 'Backspace') && this.#host.clear) this.#host.clear();
    else if (key === 'Escape') {
      if (this.#down === null) this.#host.leave();
      else this.#lift();
    } else return false;
    this.#place();
    return true;
  }
}
