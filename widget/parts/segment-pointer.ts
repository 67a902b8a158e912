/** The pointer over vessels: which segment lies under it, and a label beside it that says how wide it is. */
import type { View } from './overlay.ts';

export interface SegmentPointerHost {
  /** Of the segment within `reach` pixels of a point of the picture; null where there is none. */
  find(x: number, y: number, reach: number): { segment: number; label: string } | null;
  hovered(segment: number | null): void;
}

const reachOf = (event: PointerEvent | MouseEvent) =>
  'pointerType' in event && event.pointerType === 'touch' ? 18 : 8;

export class SegmentPointer {
  /** The label. */
  readonly element = document.createElement('div');
  readonly #host: SegmentPointerHost;
  #view: View | null = null;
  #canvas: HTMLElement | null = null;
  #segment: number | null = null;

  constructor(host: SegmentPointerHost) {
    this.#host = host;
    this.element.className = 'tip';
    this.element.hidden = true;
    this.element.setAttribute('aria-hidden', 'true'); // the list says the same
  }

  look(view: View, canvas: HTMLElement): void {
    this.#view = view;
    this.#canvas = canvas;
  }

  /** The segment at a point of the page. */
  at(event: PointerEvent | MouseEvent): { segment: number; label: string } | null {
    const view = this.#view;
    if (!view || !this.#canvas) return null;
    const own = this.#canvas.getBoundingClientRect();
    const across = (event.clientX - own.left) * view.ratio;
    const x = ((view.mirror ? view.width - across : across) - view.left) / view.scale - 0.5;
    const y = ((event.clientY - own.top) * view.ratio - view.top) / view.scaleY - 0.5;
    return this.#host.find(x, y, (reachOf(event) * view.ratio) / view.scale);
  }

  move(event: PointerEvent): void {
    const hit = event.buttons ? null : this.at(event);
    this.#set(hit?.segment ?? null);
    this.element.hidden = !hit;
    if (!hit || !this.#canvas) return;
    const own = this.#canvas.getBoundingClientRect();
    const { style } = this.element;
    if (this.element.textContent !== hit.label) this.element.textContent = hit.label;
    const right = event.clientX - own.left > own.width / 2;
    style.left = `${event.clientX - own.left + (right ? -14 : 14)}px`;
    style.top = `${Math.max(34, event.clientY - own.top - 12)}px`;
    this.element.classList.toggle('leftwards', right);
  }

  leave(): void {
    this.#set(null);
    this.element.hidden = true;
  }

  #set(segment: number | null): void {
    if (segment === this.#segment) return;
    this.#segment = segment;
    this.#host.hovered(segment);
  }
}
