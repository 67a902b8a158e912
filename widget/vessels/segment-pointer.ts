/** The pointer over vessels: which segment lies under it, and a label beside it that says how wide it is. */
import { sourcePoint, type View } from '../parts/overlay.ts';
import { localPoint } from '../parts/placement.ts';

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
    const at = sourcePoint(view, this.#canvas, event);
    return at && this.#host.find(at.x - 0.5, at.y - 0.5, (reachOf(event) * view.ratio) / view.scale);
  }

  move(event: PointerEvent): void {
    const hit = event.buttons ? null : this.at(event);
    this.#set(hit?.segment ?? null);
    this.element.hidden = !hit;
    if (!hit || !this.#canvas) return;
    const { style, offsetParent } = this.element;
    const at = offsetParent && localPoint(offsetParent, event.clientX, event.clientY);
    if (!at) return;
    if (this.element.textContent !== hit.label) this.element.textContent = hit.label;
    const right = at.x > offsetParent.clientWidth / 2;
    style.left = `${at.x - offsetParent.clientLeft + (right ? -14 : 14)}px`;
    style.top = `${Math.max(34, at.y - offsetParent.clientTop - 12)}px`;
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
