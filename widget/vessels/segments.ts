/** The segments of a result: the selected one, the one under the pointer, and their list. */
import { sourcePoint, type View } from '../base/overlay.ts';
import { localPoint } from '../base/canvas.ts';
import type { ElementParts } from '../base/element-parts.ts';
import type { Rendered } from '../base/kind.ts';
import { Store } from '../base/host.ts';
import { SegmentIndex } from './figures.ts';
import type { VesselFrame } from './tracker.ts';
import { lengthText, ordered, segmentList, type SegmentOrder } from './views.ts';

// The pointer over vessels: finds the segment under it, and shows its width in a label.

interface SegmentPointerHost {
  /** Segment within `reach` pixels of an image point. Null if none exists. */
  find(x: number, y: number, reach: number): { segment: number; label: string } | null;
  hovered(segment: number | null): void;
}

const reachOf = (event: PointerEvent | MouseEvent) =>
  'pointerType' in event && event.pointerType === 'touch' ? 18 : 8;

class SegmentPointer {
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
    this.element.setAttribute('aria-hidden', 'true'); // the list has the same information
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

/** Number of segments listed at first. */
const listedAtFirst = 100;

interface SegmentState {
  chosen: number | null;
  open: boolean;
  by: SegmentOrder;
  most: number;
}

/** Dependencies of the segments on the element. */
interface SegmentSurroundings {
  /** Micrometers per pixel. */
  scale(): number | null;
  /** Scrolls a point of the image into view. */
  reveal(x: number, y: number): void;
}

export class SegmentsController {
  readonly #parts: ElementParts<VesselFrame>;
  readonly #around: SegmentSurroundings;
  readonly #store: Store<SegmentState>;
  readonly #pointer: SegmentPointer;
  /** Segments of the last full result, and their order in the list. */
  #segments: NonNullable<VesselFrame['segments']> = [];
  #order: number[] = [];
  #index: SegmentIndex | null = null;
  #hovered: number | null = null;
  #stage: HTMLElement | null = null;

  constructor(parts: ElementParts<VesselFrame>, around: SegmentSurroundings) {
    this.#parts = parts;
    this.#around = around;
    const first: SegmentState = { chosen: null, open: false, by: 'length', most: listedAtFirst };
    this.#store = new Store(first, () => parts.host.element.requestUpdate());
    this.#pointer = new SegmentPointer({
      find: (x, y, reach) => this.#find(x, y, reach),
      hovered: (segment) => {
        this.#hovered = segment;
        parts.host.kind.draw();
      },
    });
    parts.host.add(this);
  }

  get chosen(): number | null {
    return this.#store.state.chosen;
  }

  get hovered(): number | null {
    return this.#hovered;
  }

  /** The label next to the pointer. */
  get layer(): HTMLElement {
    return this.#pointer.element;
  }

  /** Shows the segments of another result. Null: none. */
  show(result: VesselFrame | null): void {
    const segments = result?.segments ?? [];
    this.#store.set({ chosen: null });
    this.#hovered = this.#index = null;
    this.#pointer.leave();
    // The list of the previous result stays during previews, so that the page below the slider does not jump.
    if (!result?.preview) {
      this.#segments = segments;
      this.#order = ordered(segments, this.#store.state.by);
      this.#store.set({ most: listedAtFirst });
    }
    if (result && segments.length) this.#index = new SegmentIndex(segments, result.width, result.height);
  }

  choose(segment: number | null): void {
    const { strings, host, state } = this.#parts;
    const { vessels: s } = strings;
    const chosen = segment === null ? undefined : this.#segments[segment];
    if (this.#store.set({ chosen: chosen ? segment : null })) host.kind.draw();
    if (!chosen) return;
    state.announce(`${s.segment(segment! + 1)}: ${s.sizes(this.#text(chosen.width), this.#text(chosen.length))}`);
    const middle = chosen.points.length >> 2;
    this.#around.reveal(chosen.points[2 * middle]!, chosen.points[2 * middle + 1]!);
    void host.element.updateComplete.then(() => this.#scrollTo(host.find('.list [aria-selected=true]')));
  }

  /** Selects the next or the previous segment of the list. */
  step(step: 1 | -1): void {
    const order = this.#order;
    if (!order.length || !this.#index) return;
    const at = this.chosen === null ? (step > 0 ? -1 : 0) : order.indexOf(this.chosen);
    this.choose(order[(at + step + order.length) % order.length]!);
  }

  /** Called when the image was pressed. */
  pressed(event: PointerEvent): void {
    const hit = this.#pointer.at(event);
    this.choose(hit && hit.segment !== this.chosen ? hit.segment : null);
  }

  viewChanged(view: View, overlay: HTMLCanvasElement): void {
    this.#pointer.look(view, overlay);
  }

  updated(): void {
    const stage = this.#parts.host.find('.stage');
    if (!stage || stage === this.#stage) return;
    this.#stage = stage;
    stage.addEventListener('pointermove', (event) => this.#pointer.move(event), { passive: true });
    stage.addEventListener('pointerleave', () => this.#pointer.leave());
  }

  left(): void {
    this.#pointer.leave();
  }

  render(stale: boolean): Rendered {
    const model = { segments: this.#segments, order: this.#order, stale, micrometresPerPixel: this.#around.scale() };
    return segmentList(
      this.#parts.strings,
      { ...model, ...this.#store.state },
      {
        by: (by) => {
          this.#order = ordered(this.#segments, by);
          this.#store.set({ by });
        },
        choose: (segment) => this.choose(segment),
        open: (open) => void this.#store.set({ open }),
        all: () => void this.#store.set({ most: Infinity }),
      },
    );
  }

  #text(pixels: number | undefined): string {
    return lengthText(this.#parts.strings, pixels, this.#around.scale());
  }

  #find(x: number, y: number, reach: number): { segment: number; label: string } | null {
    const hit = this.#index?.nearest(x, y, reach);
    const segment = hit && this.#segments[hit.segment];
    if (!segment) return null;
    const { vessels: s } = this.#parts.strings;
    return {
      segment: hit.segment,
      label: s.widthHere(this.#text(segment.widths[hit.point]!), this.#text(segment.width)),
    };
  }

  /** scrollIntoView would also scroll the page. */
  #scrollTo(row: HTMLElement | null): void {
    const list = row?.parentElement;
    if (!row || !list) return;
    const top = row.offsetTop - list.offsetTop;
    if (top < list.scrollTop) list.scrollTop = top;
    const bottom = top + row.offsetHeight - list.clientHeight;
    if (bottom > list.scrollTop) list.scrollTop = bottom;
  }
}
