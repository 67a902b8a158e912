/**
 * The canvas over the media, at device resolution. It knows where the picture lies in the media's box (object-fit), so
 * drawings are given in source pixels; only what was drawn before is cleared.
 *
 * Media in the element's own stage are zoomed and moved there, and the canvas covers the stage. Media elsewhere on the
 * page (`external`) may be turned, scaled and mirrored by the page: there the canvas covers their content box and is
 * transformed as they are.
 */
import { context2d } from './paint-rows.ts';
import { Palette } from './palette.ts';
import { boxesOf, localPoint, place, placedOf } from './placement.ts';

export interface View {
  /** Canvas pixels a source pixel, and where the source's upper left corner lies. */
  scale: number;
  scaleY: number;
  left: number;
  top: number;
  mirror: boolean;
  /** Canvas size in device pixels, and device pixels a CSS pixel of the canvas. */
  width: number;
  height: number;
  ratio: number;
}

/** A source coordinate (pixel centers are whole numbers) on the canvas. */
export const toX = (view: View, x: number): number => {
  const at = view.left + (x + 0.5) * view.scale;
  return view.mirror ? view.width - at : at;
};
export const toY = (view: View, y: number): number => view.top + (y + 0.5) * view.scaleY;

/** A point of the viewport in source pixels, (0, 0) being the first pixel's outer corner; null while nothing is shown. */
export function sourcePoint(
  view: View,
  canvas: HTMLElement,
  { clientX, clientY }: { clientX: number; clientY: number },
): { x: number; y: number } | null {
  const at = localPoint(canvas, clientX, clientY);
  if (!at) return null;
  const across = view.mirror ? view.width - at.x * view.ratio : at.x * view.ratio;
  return { x: (across - view.left) / view.scale, y: (at.y * view.ratio - view.top) / view.scaleY };
}

/** Lays a tool's layer over the canvas. */
export function layOver(layer: HTMLElement, canvas: HTMLElement): void {
  const set = (name: 'left' | 'top' | 'width' | 'height' | 'transform', value: string) => {
    if (layer.style[name] !== value) layer.style[name] = value;
  };
  set('left', `${canvas.offsetLeft}px`);
  set('top', `${canvas.offsetTop}px`);
  set('width', `${canvas.offsetWidth}px`);
  set('height', `${canvas.offsetHeight}px`);
  set('transform', canvas.style.transform);
}

export type Drawing = (context: CanvasRenderingContext2D, view: View, colors: Colors) => Box | null;
export type Box = [left: number, top: number, right: number, bottom: number];
/** A page may restyle its media at any time; asking for all of it each frame would cost, so this asks so often. */
const every = 250;
/** No side of the canvas has more device pixels. */
const largest = 8192;

const colorNames = ['ellipse', 'center', 'points', 'halo'] as const;
export type Colors = Record<(typeof colorNames)[number], string>;

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
  readonly #palette: Palette<keyof Colors>;
  #drawn: Box | null = null;
  #drawing: Drawing | null = null;
  #request = 0;
  /** Of external media: how they were covered, by which rectangles that was known, and when. */
  #covered = { scale: 1, mirror: false };
  #key = '';
  #rects: readonly number[] = [];
  #coveredAt = -Infinity;
  #timer = 0;
  readonly #measure: (work: () => void) => void;
  readonly #viewed: (view: View) => void;

  /** `measure` runs a drawing and counts its time; `viewed` gets where the picture lies. Throws as `context2d` does. */
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
    this.#context = context2d(canvas);
    this.#palette = new Palette(canvas.parentNode!, colorNames);
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
    this.#unwatch();
    if (external) {
      document.addEventListener('scroll', this.#cover, { capture: true, passive: true });
      // A still is not drawn again when the page moves it.
      this.#timer = window.setInterval(this.#cover, every);
    }
    const { style } = this.#canvas;
    if (!external) style.left = style.top = style.width = style.height = style.transform = '';
    this.#coveredAt = -Infinity;
    this.#key = '';
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

  /** Draws now what would be drawn at the next repaint. */
  paint(): void {
    cancelAnimationFrame(this.#request);
    this.#request = 0;
    this.#measure(() => this.#paint());
  }

  clear(): void {
    this.#drawing = null;
    this.#drawn = null;
    this.#context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
  }

  /** The last drawing on another context, for snapshots. `scale` is canvas pixels a source pixel. */
  drawOn(context: CanvasRenderingContext2D, scale: number, width: number, height: number): void {
    const view = { scale, scaleY: scale, left: 0, top: 0, mirror: this.#mirror, width, height, ratio: 1.5 };
    this.#drawing?.(context, view, this.#palette.colors);
  }

  close(): void {
    cancelAnimationFrame(this.#request);
    this.#unwatch();
    this.#observer.disconnect();
    this.#palette.close();
  }

  #unwatch(): void {
    clearInterval(this.#timer);
    document.removeEventListener('scroll', this.#cover, { capture: true });
  }

  #paint(): void {
    this.#cover();
    this.#draw();
  }

  #draw(): void {
    const known = this.#view !== null;
    const view = (this.#view ??= this.#look());
    if (view && !known) this.#viewed(view);
    if (this.#drawn) {
      const [left, top, right, bottom] = this.#drawn;
      this.#context.clearRect(left, top, right - left, bottom - top);
      this.#drawn = null;
    }
    if (view && this.#drawing) this.#drawn = this.#drawing(this.#context, view, this.#palette.colors);
  }

  #resized(entries: readonly ResizeObserverEntry[]): void {
    // The canvas follows external media at the next repaint: resized here, it would be observed again at once, which
    // browsers report to the page as an error.
    if (this.#external) this.redraw();
    for (const entry of entries) {
      if (entry.target !== this.#canvas) continue;
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
    this.#measure(() => this.#draw()); // at once: the resized canvas is empty
  }

  // Lays the canvas over an element elsewhere on the page, which may have been moved since.
  readonly #cover = () => {
    const { canvas, media } = { canvas: this.#canvas, media: this.#media };
    if (!this.#external || !media) return;
    const parent = canvas.offsetParent ?? this.#host;
    if (!this.#moved(media, parent)) return;
    const inner = boxesOf(media);
    const outer = boxesOf(parent);
    const its = placedOf(media, inner);
    const own = placedOf(parent, outer);
    if (!its || !own) return;
    const { content } = inner;
    const { a, b, c, d } = its.matrix;
    const size = Math.sqrt(Math.abs(a * d - b * c));
    // As many pixels as are seen: a scaled canvas would be blurred, and its lines thick.
    const scale = Math.min(size, largest / (Math.max(content.width, content.height) * devicePixelRatio));
    const mirror = a * d - b * c < 0;
    let matrix = own.matrix
      .translate(outer.padding.left, outer.padding.top)
      .inverse()
      .multiply(its.matrix)
      .translate(content.left, content.top);
    // Labels stay readable: what is mirrored is drawn so on a canvas that is not.
    if (mirror) matrix = matrix.translate(content.width, 0).scale(-1, 1);
    matrix = matrix.scale(1 / scale, 1 / scale);
    const { objectFit, objectPosition } = getComputedStyle(media);
    const covered = { scale, mirror, matrix: matrix.toString(), content, objectFit, objectPosition };
    const key = JSON.stringify(covered);
    if (key === this.#key) return;
    this.#key = key;
    this.#covered = covered;
    const { style } = canvas;
    // Without a turn it is laid out there, so that the browser aligns it to whole device pixels.
    const turned = [matrix.a - 1, matrix.b, matrix.c, matrix.d - 1].some((v) => Math.abs(v) > 1e-4);
    style.left = turned ? '0' : `${matrix.e}px`;
    style.top = turned ? '0' : `${matrix.f}px`;
    style.transform = turned ? matrix.toString() : '';
    // The canvas follows its size by the observer, which then looks again.
    style.width = `${content.width * scale}px`;
    style.height = `${content.height * scale}px`;
    this.#view = null;
    this.redraw();
  };

  /** Whether the media may lie otherwise than they did. Rectangles are quickly compared, styles are not. */
  #moved(media: Element, parent: Element): boolean {
    const now = performance.now();
    const [its, own] = [media.getBoundingClientRect(), parent.getBoundingClientRect()];
    const rects = [its.x - own.x, its.y - own.y, its.width, its.height, own.width, own.height];
    const same = rects.every((value, i) => value === this.#rects[i]);
    if (same && now - this.#coveredAt < every) return false;
    this.#rects = rects;
    this.#coveredAt = now;
    return true;
  }

  #look(): View | null {
    const { width, height } = this.#canvas;
    const media = this.#media;
    if (!media || !width || !this.#size.width) return null;
    const boxes = boxesOf(media);
    const { content } = boxes;
    const own = boxesOf(this.#canvas);
    if (!own.width || !(content.width > 0)) return null;
    const ratio = width / own.width;
    const { objectFit, objectPosition } = getComputedStyle(media);
    const fit = [content.width, content.height, this.#size.width, this.#size.height] as const;
    const placed = place(objectFit, ...fit, objectPosition);
    const common = { width, height, ratio };
    if (this.#external) {
      const { scale, mirror } = this.#covered;
      const size = scale * ratio;
      const [left, top] = [placed.left * size, placed.top * size];
      return { scale: placed.x * size, scaleY: placed.y * size, left, top, mirror, ...common };
    }
    const its = placedOf(media, boxes);
    const stage = placedOf(this.#canvas, own);
    if (!its || !stage) return null;
    // Both stand in the same stage: only zoom, pan and mirror are between them.
    const { a, d, e, f } = stage.matrix.inverse().multiply(its.matrix).translate(content.left, content.top);
    const mirror = a < 0;
    const left = (e + a * placed.left) * ratio;
    return {
      scale: Math.abs(a) * placed.x * ratio,
      scaleY: d * placed.y * ratio,
      // Of a mirrored picture, before it is mirrored about the middle of the canvas: it need not lie there.
      left: mirror ? width - left : left,
      top: (f + d * placed.top) * ratio,
      mirror,
      ...common,
    };
  }
}
