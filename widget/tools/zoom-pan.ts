/**
 * Zoom and pan of the image in the stage: wheel, two fingers, drag, double click, keys. The media element itself is
 * scaled and moved. The overlay follows its position, so that it stays aligned and sharp.
 */
import { localPoint, place } from '../base/canvas.ts';

/**
 * Zoom and pan as numbers: an image that fits its stage, scaled by `zoom` about the middle of the stage and then moved
 * by `x` and `y` CSS pixels. The stage is never empty where the image could cover it.
 */
interface Zoom {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

/** Stage, and the fitted image in it, in CSS pixels. */
interface Fit {
  readonly width: number;
  readonly height: number;
  readonly pictureWidth: number;
  readonly pictureHeight: number;
}

export const fitted: Zoom = { zoom: 1, x: 0, y: 0 };

/** CSS pixels per source pixel at the maximum zoom. */
const GREATEST = 16;

const clamp = (v: number, most: number) => Math.max(-most, Math.min(most, v)) + 0; // avoids -0

/** The nearest allowed position. `perPixel`: CSS pixels per source pixel of the fitted image. */
export function allowed({ zoom, x, y }: Zoom, fit: Fit, perPixel: number): Zoom {
  const most = Math.max(4, GREATEST / Math.max(perPixel, 1e-6));
  const z = Math.max(1, Math.min(most, zoom));
  return {
    zoom: z,
    x: clamp(x, Math.max(0, (z * fit.pictureWidth - fit.width) / 2)),
    y: clamp(y, Math.max(0, (z * fit.pictureHeight - fit.height) / 2)),
  };
}

/** Scales by `factor`. The point (`px`, `py`), from the middle of the stage, does not move. */
export function zoomedAt(now: Zoom, factor: number, px: number, py: number): Zoom {
  return { zoom: now.zoom * factor, x: px - (px - now.x) * factor, y: py - (py - now.y) * factor };
}

/**
 * Moves the image so that a point becomes visible. The point is relative to the middle of the stage, in the fitted
 * image. If it is already visible, nothing changes.
 */
export function showing(now: Zoom, fit: Fit, px: number, py: number): Zoom {
  const [x, y] = [now.zoom * px + now.x, now.zoom * py + now.y];
  if (Math.abs(x) < 0.45 * fit.width && Math.abs(y) < 0.45 * fit.height) return now;
  return { zoom: now.zoom, x: -now.zoom * px, y: -now.zoom * py };
}

interface ZoomHost {
  /** The image has moved. */
  moved(): void;
  /** A press without a drag, at a point of the page. */
  pressed?(event: PointerEvent): void;
}

const stepZoom = 1.25;
/** Milliseconds after a scroll in which the page continues to scroll, even with the image under the pointer. */
const scrolling = 300;
const slack = 4;

/** In the stage's own pixels, from its middle. */
interface Finger {
  x: number;
  y: number;
}

export class ZoomPan {
  readonly #host: ZoomHost;
  #stage: HTMLElement | null = null;
  #media: HTMLElement | null = null;
  #size = { width: 1, height: 1 };
  #now: Zoom = fitted;
  #events = new AbortController();
  #observer: ResizeObserver | null = null;
  #scrolledAt = -Infinity;
  readonly #fingers = new Map<number, Finger>();
  #traveled = 0;

  constructor(host: ZoomHost) {
    this.#host = host;
  }

  /** 1 if the whole image is visible. */
  get zoom(): number {
    return this.#now.zoom;
  }

  /** Percent of the image's original size, in CSS pixels. */
  get percent(): number {
    return this.#stage ? 100 * this.#now.zoom * this.#perPixel() : 100;
  }

  /** Sets an image of this size, displayed by `media`. Null: none. It starts fitted. */
  attach(stage: HTMLElement, media: HTMLElement | null, width: number, height: number): void {
    this.detach();
    this.#stage = stage;
    this.#media = media;
    this.#size = { width, height };
    if (!media) return;
    this.#events = new AbortController();
    const { signal } = this.#events;
    const listen = <K extends keyof HTMLElementEventMap>(type: K, act: (event: HTMLElementEventMap[K]) => void) =>
      stage.addEventListener(type, act, { signal, passive: type !== 'wheel' });
    listen('wheel', this.#onWheel);
    listen('pointerdown', this.#onDown);
    listen('pointermove', this.#onMove);
    for (const type of ['pointerup', 'pointercancel'] as const) listen(type, this.#onUp);
    listen('dblclick', this.#onDouble);
    addEventListener('scroll', () => (this.#scrolledAt = performance.now()), { signal, capture: true, passive: true });
    this.#observer = new ResizeObserver(() => this.#take(this.#now));
    this.#observer.observe(stage);
    this.#show();
  }

  detach(): void {
    this.#events.abort();
    this.#observer?.disconnect();
    this.#fingers.clear();
    if (this.#media) this.#media.style.scale = this.#media.style.translate = '';
    this.#stage?.classList.remove('zoomed', 'pannable');
    this.#media = null;
    this.#now = fitted;
  }

  fit(): void {
    this.#take(fitted);
  }

  /** One source pixel per CSS pixel. */
  actual(): void {
    this.by(1 / (this.#perPixel() * this.#now.zoom));
  }

  /** Scales by `factor`, about a point of the page or about the middle. */
  by(factor: number, at?: { clientX: number; clientY: number }): void {
    this.#enlarge(factor, this.#fromMiddle(at));
  }

  /** About a point of the stage, from its middle. */
  #enlarge(factor: number, { x, y }: Finger): void {
    const most = this.#limit({ ...this.#now, zoom: this.#now.zoom * factor }).zoom;
    this.#take(zoomedAt(this.#now, most / this.#now.zoom, x, y));
  }

  in(): void {
    this.by(stepZoom);
  }

  out(): void {
    this.by(1 / stepZoom);
  }

  /** In fractions of the stage. Positive values show more of the right and the bottom. */
  pan(right: number, down: number): void {
    const { width, height } = this.#fit();
    this.#take({ ...this.#now, x: this.#now.x - right * width, y: this.#now.y - down * height });
  }

  /** Scrolls a point of the image into view. `mirror`: whether it is displayed mirrored. */
  reveal(x: number, y: number, mirror: boolean): void {
    const scale = this.#perPixel();
    const px = (x + 0.5 - this.#size.width / 2) * scale;
    this.#take(showing(this.#now, this.#fit(), mirror ? -px : px, (y + 0.5 - this.#size.height / 2) * scale));
  }

  /** Handles keys of the stage. Returns whether this was one. */
  key({ key, shiftKey }: KeyboardEvent, onStage: boolean): boolean {
    if (!this.#media) return false;
    const far = shiftKey ? 0.5 : 0.12;
    const pans: Record<string, [number, number]> = {
      ArrowLeft: [-far, 0],
      ArrowRight: [far, 0],
      ArrowUp: [0, -far],
      ArrowDown: [0, far],
    };
    const pan = onStage ? pans[key] : undefined;
    if (pan) {
      // If the whole image is visible, up and down belong to the page, and left and right keep their other use.
      if (this.#now.zoom === 1) return false;
      this.pan(...pan);
    } else if (key === '+' || key === '=') this.in();
    else if (key === '-' || key === '_') this.out();
    else if (key === '0') this.fit();
    else if (key === '1') this.actual();
    else return false;
    return true;
  }

  #fit(): Fit {
    const { clientWidth: width, clientHeight: height } = this.#stage!;
    const { x, y } = place('contain', width, height, this.#size.width, this.#size.height);
    return { width, height, pictureWidth: x * this.#size.width, pictureHeight: y * this.#size.height };
  }

  #perPixel(): number {
    return this.#fit().pictureWidth / this.#size.width || 1;
  }

  #fromMiddle(at?: { clientX: number; clientY: number }): { x: number; y: number } {
    const point = at && this.#stage && localPoint(this.#stage, at.clientX, at.clientY);
    if (!point) return { x: 0, y: 0 };
    const { clientLeft, clientTop, clientWidth, clientHeight } = this.#stage!;
    return { x: point.x - clientLeft - clientWidth / 2, y: point.y - clientTop - clientHeight / 2 };
  }

  #limit(zoom: Zoom): Zoom {
    return allowed(zoom, this.#fit(), this.#perPixel());
  }

  #take(next: Zoom): void {
    if (!this.#media) return;
    const { zoom, x, y } = this.#limit(next);
    const before = this.#now;
    this.#now = { zoom, x, y };
    if (zoom !== before.zoom || x !== before.x || y !== before.y) this.#show();
  }

  #show(): void {
    const { zoom, x, y } = this.#now;
    const { style } = this.#media!;
    style.scale = zoom === 1 ? '' : String(zoom);
    style.translate = zoom === 1 ? '' : `${x}px ${y}px`;
    this.#stage!.classList.add('pannable');
    this.#stage!.classList.toggle('zoomed', zoom > 1);
    // At high zoom, pixels are shown without the browser's interpolation.
    this.#media!.classList.toggle('pixels', zoom * this.#perPixel() * devicePixelRatio >= 4);
    this.#host.moved();
  }

  /** Elements in the stage that handle the pointer themselves. */
  #taken(event: Event): boolean {
    return (event.composedPath()[0] as Element).closest('button, [role=slider], .tool.armed, .shape') !== null;
  }

  readonly #onWheel = (event: WheelEvent) => {
    const { deltaY, deltaMode, ctrlKey } = event;
    const outward = deltaY > 0;
    // The page scrolls if zooming out further is not possible, or if it was already scrolling.
    const scrolls = !ctrlKey && this.#now.zoom === 1 && (outward || performance.now() - this.#scrolledAt < scrolling);
    if (!deltaY || scrolls) return;
    event.preventDefault();
    const lines = deltaMode === WheelEvent.DOM_DELTA_PIXEL ? deltaY / 100 : deltaY / 3;
    this.by(Math.exp(-Math.max(-2, Math.min(2, lines)) * (ctrlKey ? 1 : 0.22)), event);
  };

  readonly #onDown = (event: PointerEvent) => {
    if (event.button !== 0 || this.#taken(event)) return;
    if (!this.#fingers.size) this.#traveled = 0;
    this.#fingers.set(event.pointerId, this.#fromMiddle(event));
    if (this.#fingers.size === 2) for (const id of this.#fingers.keys()) this.#stage!.setPointerCapture(id);
  };

  readonly #onMove = (event: PointerEvent) => {
    const finger = this.#fingers.get(event.pointerId);
    if (!finger) return;
    const at = this.#fromMiddle(event);
    const [dx, dy] = [at.x - finger.x, at.y - finger.y];
    this.#traveled = Math.max(this.#traveled, Math.hypot(dx, dy));
    if (this.#fingers.size === 2) this.#pinch(at, finger);
    else if (this.#traveled < slack) return;
    else {
      if (this.#now.zoom > 1) this.#stage!.setPointerCapture(event.pointerId);
      this.#take({ ...this.#now, x: this.#now.x + dx, y: this.#now.y + dy });
    }
    Object.assign(finger, at);
    this.#traveled = Math.max(this.#traveled, slack);
  };

  #pinch(at: Finger, finger: Finger): void {
    const other = [...this.#fingers.values()].find((each) => each !== finger)!;
    const before = Math.hypot(finger.x - other.x, finger.y - other.y);
    const after = Math.hypot(at.x - other.x, at.y - other.y);
    if (before < 1) return;
    this.#enlarge(after / before, { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 });
    this.#take({ ...this.#now, x: this.#now.x + (at.x - finger.x) / 2, y: this.#now.y + (at.y - finger.y) / 2 });
  }

  readonly #onUp = (event: PointerEvent) => {
    if (!this.#fingers.delete(event.pointerId)) return;
    if (event.type === 'pointerup' && !this.#fingers.size && this.#traveled < slack) this.#host.pressed?.(event);
  };

  readonly #onDouble = (event: MouseEvent) => {
    if (this.#taken(event)) return;
    if (this.#now.zoom > 1.01) this.fit();
    else this.by(3, event);
  };
}
