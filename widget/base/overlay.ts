/**
 * Canvas over the media, at device resolution. It knows the position of the image in the media's box (object-fit), so
 * drawings use source pixels. Only the previous drawing is cleared.
 *
 * Media in the element's stage are zoomed and moved there, and the canvas covers the stage. Media elsewhere on the page
 * (`external`) may be rotated, scaled and mirrored by the page. Then the canvas covers their content box and gets the
 * same transform.
 */
import { context2d, Palette, boxesOf, localPoint, place, placedOf } from './canvas.ts';

export interface View {
  /** Canvas pixels per source pixel, and position of the source's upper left corner. */
  scale: number;
  scaleY: number;
  left: number;
  top: number;
  mirror: boolean;
  /** Canvas size in device pixels, and device pixels per CSS pixel of the canvas. */
  width: number;
  height: number;
  ratio: number;
}

/** Converts a source coordinate to the canvas. Pixel centers are whole numbers. */
export const toX = (view: View, x: number): number => {
  const at = view.left + (x + 0.5) * view.scale;
  return view.mirror ? view.width - at : at;
};
export const toY = (view: View, y: number): number => view.top + (y + 0.5) * view.scaleY;

/**
 * Converts a viewport point to source pixels. (0, 0) is the outer corner of the first pixel. Null while nothing is
 * shown.
 */
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

/** Places a tool's layer over the canvas. */
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
/**
 * A page may restyle its media at any time. Checking on every frame would be expensive, so this is the check interval
 * in ms.
 */
const every = 250;
/** Maximum width and height of the canvas in device pixels. */
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
  /** External media: how they were covered, the rectangles used for that, and the time. */
  #covered = { scale: 1, mirror: false };
  #key = '';
  #rects: readonly number[] = [];
  #coveredAt = -Infinity;
  #timer = 0;
  readonly #measure: (work: () => void) => void;
  readonly #viewed: (view: View) => void;

  /**
   * `measure` runs a drawing and counts its time. `viewed` gets the position of the image. Throws the errors of
   * `context2d`.
   */
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

  /**
   * Sets the media below the canvas. `external` media are elsewhere on the page, and the canvas is placed over them.
   */
  attach(media: HTMLElement | null, width: number, height: number, external: boolean): void {
    if (this.#media) this.#observer.unobserve(this.#media);
    this.#media = media;
    this.#external = external;
    this.#size = { width, height };
    this.#view = null;
    this.#drawing = null;
    if (media) this.#observer.observe(media);
    // In the capture phase, since boxes around the element also scroll.
    this.#unwatch();
    if (external) {
      document.addEventListener('scroll', this.#cover, { capture: true, passive: true });
      // A still is not redrawn when the page moves it.
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

  /** Draws at the next repaint. If several drawings are requested before it, only the last one is drawn. */
  draw(drawing: Drawing): void {
    this.#drawing = drawing;
    this.redraw();
  }

  /** The media have moved in the stage. */
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

  /** Draws immediately instead of at the next repaint. */
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

  /** Draws the last drawing on another context, for snapshots. `scale`: canvas pixels per source pixel. */
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
    // The canvas follows external media at the next repaint. Resizing it here would trigger the observer again at once,
    // and browsers report that to the page as an error.
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
    this.#measure(() => this.#draw()); // at once, since the resized canvas is empty
  }

  // Places the canvas over an element elsewhere on the page, which may have moved.
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
    // Uses as many pixels as are visible. A scaled canvas would be blurred, with thick lines.
    const scale = Math.min(size, largest / (Math.max(content.width, content.height) * devicePixelRatio));
    const mirror = a * d - b * c < 0;
    let matrix = own.matrix
      .translate(outer.padding.left, outer.padding.top)
      .inverse()
      .multiply(its.matrix)
      .translate(content.left, content.top);
    // Labels must stay readable, so mirroring happens in the drawing and not on the canvas.
    if (mirror) matrix = matrix.translate(content.width, 0).scale(-1, 1);
    matrix = matrix.scale(1 / scale, 1 / scale);
    const { objectFit, objectPosition } = getComputedStyle(media);
    const covered = { scale, mirror, matrix: matrix.toString(), content, objectFit, objectPosition };
    const key = JSON.stringify(covered);
    if (key === this.#key) return;
    this.#key = key;
    this.#covered = covered;
    const { style } = canvas;
    // Without rotation the layout positions the canvas, so that the browser aligns it to whole device pixels.
    const turned = [matrix.a - 1, matrix.b, matrix.c, matrix.d - 1].some((v) => Math.abs(v) > 1e-4);
    style.left = turned ? '0' : `${matrix.e}px`;
    style.top = turned ? '0' : `${matrix.f}px`;
    style.transform = turned ? matrix.toString() : '';
    // The observer then resizes the canvas and checks again.
    style.width = `${content.width * scale}px`;
    style.height = `${content.height * scale}px`;
    this.#view = null;
    this.redraw();
  };

  /** Whether the media may have moved. Rectangles are cheap to compare, styles are not. */
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
    // Both are in the same stage, so they differ only by zoom, pan and mirroring.
    const { a, d, e, f } = stage.matrix.inverse().multiply(its.matrix).translate(content.left, content.top);
    const mirror = a < 0;
    const left = (e + a * placed.left) * ratio;
    return {
      scale: Math.abs(a) * placed.x * ratio,
      scaleY: d * placed.y * ratio,
      // Position before the mirroring about the middle of the canvas, which need not be the middle of the image.
      left: mirror ? width - left : left,
      top: (f + d * placed.top) * ratio,
      mirror,
      ...common,
    };
  }
}
