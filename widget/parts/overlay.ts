/**
 * The canvas over the media, at device resolution. It knows where the picture lies in the media's box (object-fit), so
 * drawings are given in source pixels; only what was drawn before is cleared.
 */
import { Palette } from './palette.ts';

export interface View {
  /** Device pixels a source pixel, and where the source's upper left corner lies. */
  scale: number;
  scaleY: number;
  left: number;
  top: number;
  mirror: boolean;
  /** Canvas size in device pixels, and device pixels a CSS pixel. */
  width: number;
  height: number;
  ratio: number;
}

/** A source coordinate (pixel centres are whole numbers) on the canvas. */
export const toX = (view: View, x: number): number => {
  const at = view.left + (x + 0.5) * view.scale;
  return view.mirror ? view.width - at : at;
};
export const toY = (view: View, y: number): number => view.top + (y + 0.5) * view.scaleY;

export type Drawing = (context: CanvasRenderingContext2D, view: View, colours: Colours) => Box | null;
export type Box = [left: number, top: number, right: number, bottom: number];
const colourNames = ['ellipse', 'centre', 'points', 'halo'] as const;
export type Colours = Record<(typeof colourNames)[number], string>;

/** Where a picture of this size lies in a box, as object-fit places it. */
export function place(fit: string, boxWidth: number, boxHeight: number, width: number, height: number) {
  const across = boxWidth / width;
  const down = boxHeight / height;
  let x = Math.min(across, down);
  if (fit === 'cover') x = Math.max(across, down);
  else if (fit === 'none') x = 1;
  else if (fit === 'scale-down') x = Math.min(1, x);
  const y = fit === 'fill' ? down : x;
  if (fit === 'fill') x = across;
  return { x, y, left: (boxWidth - x * width) / 2, top: (boxHeight - y * height) / 2 };
}

export class Overlay {
  readonly #canvas: HTMLCanvasElement;
  readonly #host: HTMLElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #observer: ResizeObserver;
  #media: HTMLElement | null = null;
  #external = false;
  #size = { width: 0, height: 0 };
  #view: View | null = null;
  #mirror = false;
  readonly #palette: Palette<keyof Colours>;
  #drawn: Box | null = null;
  #drawing: Drawing | null = null;
  #request = 0;
  readonly #measure: (work: () => void) => void;
  readonly #viewed: (view: View) => void;

  /** `measure` runs a drawing and counts its time; `viewed` is told where the picture lies. */
  constructor(
    canvas: HTMLCanvasElement,
    host: HTMLElement,
    measure: (work: () => void) => void,
    viewed: (view: View) => void = () => {},
  ) {
    this.#viewed = viewed;
    this.#canvas = canvas;
    this.#host = host;
    this.#measure = measure;
    this.#context = canvas.getContext('2d')!;
    this.#palette = new Palette(canvas.parentNode!, colourNames);
    this.#observer = new ResizeObserver((entries) => this.#resized(entries));
    try {
      this.#observer.observe(canvas, { box: 'device-pixel-content-box' });
    } catch {
      this.#observer.observe(canvas); // browsers without device pixels in resize observations
    }
  }

  /** What lies below; `external` elements are elsewhere on the page and the canvas is laid over them. */
  attach(media: HTMLElement | null, width: number, height: number, external: boolean): void {
    if (this.#media) this.#observer.unobserve(this.#media);
    this.#media = media;
    this.#external = external;
    this.#size = { width, height };
    this.#view = null;
    this.#drawing = null;
    if (media) this.#observer.observe(media);
    // In capture: boxes around the element scroll too.
    document.removeEventListener('scroll', this.#cover, { capture: true });
    if (external) document.addEventListener('scroll', this.#cover, { capture: true, passive: true });
    const { style } = this.#canvas;
    if (!external) style.left = style.top = style.width = style.height = '';
    this.#cover();
    this.clear();
  }

  set mirror(mirror: boolean) {
    if (mirror === this.#mirror) return;
    this.#mirror = mirror;
    this.moved();
  }

  /** Draws at the next repaint; of several drawings before it only the last one counts. */
  draw(drawing: Drawing): void {
    this.#drawing = drawing;
    this.redraw();
  }

  /** The media lie elsewhere in the stage now. */
  moved(): void {
    this.#view = null;
    this.redraw();
  }

  redraw(): void {
    this.#request ||= requestAnimationFrame(() => {
      this.#request = 0;
      this.#measure(() => this.#paint());
    });
  }

  clear(): void {
    this.#drawing = null;
    this.#drawn = null;
    this.#context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
  }

  /** The last drawing on another context, for snapshots. `scale` is canvas pixels a source pixel. */
  drawOn(context: CanvasRenderingContext2D, scale: number, width: number, height: number): void {
    const view = { scale, scaleY: scale, left: 0, top: 0, mirror: this.#mirror, width, height, ratio: 1.5 };
    this.#drawing?.(context, view, this.#palette.colours);
  }

  close(): void {
    cancelAnimationFrame(this.#request);
    document.removeEventListener('scroll', this.#cover, { capture: true });
    this.#observer.disconnect();
    this.#palette.close();
  }

  #paint(): void {
    this.#cover();
    const known = this.#view !== null;
    const view = (this.#view ??= this.#look());
    if (view && !known) this.#viewed(view);
    if (this.#drawn) {
      const [left, top, right, bottom] = this.#drawn;
      this.#context.clearRect(left, top, right - left, bottom - top);
      this.#drawn = null;
    }
    if (view && this.#drawing) this.#drawn = this.#drawing(this.#context, view, this.#palette.colours);
  }

  #resized(entries: readonly ResizeObserverEntry[]): void {
    for (const entry of entries) {
      if (entry.target !== this.#canvas) {
        this.#cover();
        continue;
      }
      const device = entry.devicePixelContentBoxSize?.[0];
      const css = entry.contentBoxSize[0]!;
      const width = device?.inlineSize ?? Math.round(css.inlineSize * devicePixelRatio);
      const height = device?.blockSize ?? Math.round(css.blockSize * devicePixelRatio);
      if (width !== this.#canvas.width || height !== this.#canvas.height) {
        this.#canvas.width = width;
        this.#canvas.height = height;
        this.#drawn = null;
      }
    }
    this.#view = null;
    this.#measure(() => this.#paint()); // at once: the resized canvas is empty
  }

  // Lays the canvas over an element elsewhere on the page, which may have been moved since.
  readonly #cover = () => {
    if (!this.#external || !this.#media) return;
    const parent = (this.#canvas.offsetParent ?? this.#host) as HTMLElement;
    const own = parent.getBoundingClientRect();
    const its = this.#media.getBoundingClientRect();
    const { style } = this.#canvas;
    const left = `${its.left - own.left - parent.clientLeft}px`;
    const top = `${its.top - own.top - parent.clientTop}px`;
    if (style.left !== left || style.top !== top) {
      style.left = left;
      style.top = top;
      this.#view = null;
      this.redraw();
    }
    // The size follows by the observer, which then looks again.
    style.width = `${its.width}px`;
    style.height = `${its.height}px`;
  };

  #look(): View | null {
    const { width, height } = this.#canvas;
    if (!this.#media || !width || !this.#size.width) return null;
    const own = this.#canvas.getBoundingClientRect();
    const its = this.#media.getBoundingClientRect();
    if (!own.width || !its.width) return null;
    const ratio = width / own.width;
    const style = getComputedStyle(this.#media);
    const inner = (side: string, edges: string[]) =>
      edges.reduce((sum, edge) => sum - (parseFloat(style.getPropertyValue(`${side}-${edge}`)) || 0), 0);
    const boxWidth = its.width + inner('padding', ['left', 'right']);
    const boxHeight = its.height + inner('padding', ['top', 'bottom']);
    const placed = place(style.objectFit, boxWidth, boxHeight, this.#size.width, this.#size.height);
    const left = (its.left - own.left + placed.left) * ratio;
    return {
      scale: placed.x * ratio,
      scaleY: placed.y * ratio,
      // Of a mirrored picture, before it is mirrored about the middle of the canvas: it need not lie there.
      left: this.#mirror ? width - left - this.#size.width * placed.x * ratio : left,
      top: (its.top - own.top + placed.top) * ratio,
      mirror: this.#mirror,
      width,
      height,
      ratio,
    };
  }
}
