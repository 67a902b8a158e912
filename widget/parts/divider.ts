/**
 * The line between two pictures (before and after, one result and another), which is dragged across what it stands in or
 * moved by the arrow keys. Its place is a percentage of the width of what it stands in, also where that is enlarged.
 */
import { localPoint } from './placement.ts';

export interface DividerHost {
  moved(percent: number): void;
  /** Escape or Delete. */
  leave(): void;
  /** Accessible name, and the value in words. */
  describe(percent: number): { label: string; value: string };
}

const keys: Record<string, number> = {
  ArrowLeft: -2,
  ArrowDown: -2,
  ArrowRight: 2,
  ArrowUp: 2,
  PageUp: 10,
  PageDown: -10,
};

export class Divider {
  readonly element = document.createElement('div');
  readonly #host: DividerHost;
  #percent = 50;
  #pointer: number | null = null;

  constructor(host: DividerHost) {
    this.#host = host;
    const { element } = this;
    element.className = 'divider';
    element.hidden = true;
    element.tabIndex = 0;
    element.setAttribute('role', 'slider');
    element.setAttribute('part', 'divider');
    element.setAttribute('aria-valuemin', '0');
    element.setAttribute('aria-valuemax', '100');
    element.append(document.createElement('span'));
    element.addEventListener('pointerdown', this.#down);
    element.addEventListener('pointermove', this.#move);
    element.addEventListener('pointerup', this.#up);
    element.addEventListener('pointercancel', this.#up);
    element.addEventListener('keydown', this.#key);
  }

  /** Null hides it. */
  show(percent: number | null): void {
    this.element.hidden = percent === null;
    if (percent === null) return;
    this.#percent = Math.max(0, Math.min(100, percent));
    const { label, value } = this.#host.describe(Math.round(this.#percent));
    this.element.style.left = `${this.#percent}%`;
    this.element.setAttribute('aria-valuenow', String(Math.round(this.#percent)));
    this.element.setAttribute('aria-label', label);
    this.element.setAttribute('aria-valuetext', value);
  }

  #set(percent: number): void {
    this.show(percent);
    this.#host.moved(this.#percent);
  }

  readonly #down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.element.focus();
    this.element.setPointerCapture(event.pointerId);
    this.#pointer = event.pointerId;
  };

  readonly #move = (event: PointerEvent) => {
    if (event.pointerId !== this.#pointer) return;
    const stage = this.element.parentElement!;
    const at = localPoint(stage, event.clientX, event.clientY);
    if (at) this.#set((100 * (at.x - stage.clientLeft)) / stage.clientWidth);
  };

  readonly #up = (event: PointerEvent) => {
    if (event.pointerId === this.#pointer) this.#pointer = null;
  };

  readonly #key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = keys[event.key];
    if (step) this.#set(this.#percent + (event.shiftKey ? step / 2 : step));
    else if (event.key === 'Home') this.#set(0);
    else if (event.key === 'End') this.#set(100);
    else if (event.key === 'Escape' || event.key === 'Delete') this.#host.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
