/** Parts of the timeline: the strip of results, its clock and style, and the picture-in-picture window. */
import type { NumberFormat } from '../../strings/index.ts';
import { Palette } from '../../base/canvas.ts';
import type { Entry, FrameState } from './known-results.ts';

// Picture in picture with the overlay. The browser's picture-in-picture would show the bare video.

export class FloatingPicture {
  readonly #canvas = document.createElement('canvas');
  readonly #video = document.createElement('video');
  readonly #paint: (canvas: HTMLCanvasElement) => void;
  readonly #ended: () => void;
  #open = false;

  /** `paint` draws the image with its overlay. `ended`: the window was closed. */
  constructor(paint: (canvas: HTMLCanvasElement) => void, ended: () => void) {
    this.#paint = paint;
    this.#ended = ended;
    this.#video.muted = true;
    this.#video.addEventListener('leavepictureinpicture', () => this.#end());
  }

  static get possible(): boolean {
    return document.pictureInPictureEnabled === true && 'captureStream' in HTMLCanvasElement.prototype;
  }

  get open(): boolean {
    return this.#open;
  }

  async toggle(): Promise<void> {
    if (this.#open) return this.close();
    this.#open = true;
    try {
      this.draw();
      this.#video.srcObject = this.#canvas.captureStream();
      this.draw(); // a stream starts with the first painting after its creation
      await this.#video.play();
      await this.#video.requestPictureInPicture();
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  /** Redraws after a change of the image. */
  draw(): void {
    if (this.#open) this.#paint(this.#canvas);
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    if (document.pictureInPictureElement === this.#video) await document.exitPictureInPicture();
    this.#end();
  }

  #end(): void {
    if (!this.#open) return;
    this.#open = false;
    for (const track of (this.#video.srcObject as MediaStream | null)?.getTracks() ?? []) track.stop();
    this.#video.srcObject = null;
    this.#ended();
  }
}

// Formats times of a recording.

/** Returns `1:02.50`, with the decimal sign of the language. */
export function clockText(seconds: number, number: NumberFormat): string {
  const whole = Math.max(0, Math.round(seconds * 100)) / 100;
  const minutes = Math.floor(whole / 60);
  const rest = number(whole - 60 * minutes, 2);
  return `${minutes}:${rest.padStart(5, '0')}`;
}

/** A string, since the lazily loaded file creates the style sheet. */
export const timelineStyle = `
  .timeline { padding: 8px 12px 6px; border-top: 1px solid var(--_border); background: var(--_surface); }
  .timeline .scrub { position: relative; overflow: clip; overflow-clip-margin: 8px; height: 44px; padding: 8px 0; direction: ltr; cursor: pointer; touch-action: pan-y; border-radius: 6px; }
  .timeline .scrub canvas { display: block; width: 100%; height: 28px; }
  .timeline .head { position: absolute; inset: 2px 0; border-left: 2px solid var(--_text); margin-left: -1px; pointer-events: none; }
  .timeline .head::before { position: absolute; top: -1px; left: -7px; width: 12px; height: 12px; border-radius: 50%; background: var(--_text); content: ''; }
  .timeline .legend { display: flex; flex-wrap: wrap; align-content: start; gap: 0 14px; height: 20px; margin: 0; overflow: hidden; color: var(--_muted); font-size: 12px; line-height: 20px; }
  .timeline .legend span::before { display: inline-block; width: 9px; height: 13px; margin-inline-end: 5px; vertical-align: -2px; content: ''; forced-color-adjust: none; }
  .timeline .legend .recorded::before { height: 8px; vertical-align: middle; } /* below the row above */
  .timeline .row { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 4px; }
  .timeline .clock { margin-inline-end: auto; color: var(--_muted); font-size: 13px; font-variant-numeric: tabular-nums; white-space: nowrap; }
  .timeline .clock > * { display: inline-block; min-width: 7.5ch; }
  .timeline .clock b { color: var(--_text); font-weight: 600; }
  .timeline select { flex: 0 1 76px; min-width: 0; min-height: 38px; padding: 0 4px; border-color: transparent; }
  @container (max-width: 430px) {
    .timeline .clock > * { min-width: 0; }
    .timeline .scrub { height: 36px; padding: 4px 0; }
    .timeline .legend { column-gap: 9px; height: 28px; font-size: 11px; line-height: 14px; } /* two rows */
  }
  .stage[data-exporting] > :is(video, canvas) { visibility: hidden; }
  .timeline button > svg:not([fill]) { fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
  :host(:fullscreen) .base { display: flex; flex-direction: column; height: 100%; border: 0; border-radius: 0; overflow: auto; }
  :host(:fullscreen) .stage { flex: 1 1 50vh; max-height: none; }
  @media (forced-colors: active) {
    .timeline .scrub { border: 1px solid CanvasText; forced-color-adjust: none; background: Canvas; }
    .timeline .head { border-color: CanvasText; }
    .timeline .head::before { background: CanvasText; }
  }
`;

// Results along the timeline, on one canvas: found low, blinks half, closures higher, losses as high as the strip.
// The heights make them clear without color. Recorded parts are a line above, markers are flags.

const colorNames = ['line', 'line-second', 'danger', 'mark', 'accent', 'border', 'text'] as const;
const looks: Record<FrameState, { readonly height: number; readonly color: (typeof colorNames)[number] }> = {
  unknown: { height: 0.12, color: 'border' },
  found: { height: 0.28, color: 'line' },
  blink: { height: 0.6, color: 'line-second' },
  closure: { height: 0.8, color: 'text' },
  lost: { height: 1, color: 'danger' },
};
/** Styles of the legend: each sign has the color and the height of its states in the strip. */
export const legendStyle = Object.entries({
  ...looks,
  marker: { height: 1, color: 'mark' },
  loop: { height: 1, color: 'accent' },
  recorded: { height: 0.15, color: 'accent' },
})
  .map(([name, { height, color }]) => {
    const [from, to] = name === 'recorded' ? ['top', 'bottom'] : ['bottom', 'top'];
    return `.timeline .legend .${name}::before { background: linear-gradient(to ${to}, var(--_${color}) ${100 * height}%, transparent 0) ${from}; }`;
  })
  .join('\n');

const ranks: Record<FrameState, number> = { unknown: 0, found: 1, lost: 2, blink: 3, closure: 4 };

interface StripModel {
  /** Milliseconds. */
  duration: number;
  /** Usual milliseconds between frames. */
  interval: number;
  entries: readonly Entry<unknown>[];
  stateOf(entry: Entry<unknown>): FrameState;
  marks: readonly { readonly mediaTime: number }[];
  recorded: readonly (readonly [number, number])[];
  loop: readonly [number, number] | null;
}

export class Strip {
  readonly canvas = document.createElement('canvas');
  readonly #context = this.canvas.getContext('2d')!;
  readonly #observer = new ResizeObserver(() => this.#resized());
  #palette: Palette<(typeof colorNames)[number]> | null = null;
  readonly #model: () => StripModel;

  constructor(model: () => StripModel) {
    this.#model = model;
    this.canvas.setAttribute('aria-hidden', 'true');
  }

  /** `place`: a node inside the scope of the style sheet with the colors. */
  open(place: Node): void {
    this.#palette ??= new Palette(place, colorNames);
    this.#observer.observe(this.canvas);
  }

  draw(): void {
    const { width, height } = this.canvas;
    const { duration, interval, entries, stateOf, marks, recorded, loop } = this.#model();
    const context = this.#context;
    context.clearRect(0, 0, width, height);
    if (!this.#palette || !(duration > 0) || !width) return;
    const { colors } = this.#palette;
    const at = (mediaTime: number) => (mediaTime / duration) * width;
    const fill = (color: string, from: number, to: number, top: number, bottom: number) => {
      context.fillStyle = color;
      context.fillRect(from, top, Math.max(1, to - from), bottom - top);
    };
    context.globalAlpha = 0.18;
    if (loop) fill(colors.accent, at(loop[0] * 1000), at(loop[1] * 1000), 0, height);
    context.globalAlpha = 1;
    fill(colors.border, 0, width, height * (1 - looks.unknown.height), height);
    for (const [column, state] of this.#columns(entries, stateOf, at, interval)) {
      const { height: share, color } = looks[state];
      fill(colors[color], column, column + 1, height * (1 - share), height);
    }
    const line = Math.max(1, Math.round(height / 12));
    for (const [from, to] of recorded) fill(colors.accent, at(from), at(to + interval), 0, line);
    for (const { mediaTime } of marks) {
      const x = Math.min(width - line, at(mediaTime));
      fill(colors.mark, x, x + line, 0, height);
      fill(colors.mark, x, x + 4 * line, 0, 3 * line);
    }
    if (loop) for (const end of loop) fill(colors.accent, at(end * 1000) - line, at(end * 1000) + line, 0, height);
  }

  close(): void {
    this.#observer.disconnect();
    this.#palette?.close();
    this.#palette = null;
  }

  /** State of each pixel column. If several frames share a column, the most important one counts. */
  #columns(
    entries: readonly Entry<unknown>[],
    stateOf: StripModel['stateOf'],
    at: (mediaTime: number) => number,
    interval: number,
  ) {
    const columns = new Map<number, FrameState>();
    for (const entry of entries) {
      const { timing } = entry;
      const state = stateOf(entry);
      const last = Math.floor(at(timing.mediaTime + interval) - 0.001);
      for (let column = Math.floor(at(timing.mediaTime)); column <= last; column++)
        if (ranks[state] >= ranks[columns.get(column) ?? 'unknown']) columns.set(column, state);
    }
    return columns;
  }

  #resized(): void {
    const { clientWidth, clientHeight } = this.canvas;
    this.canvas.width = Math.round(clientWidth * devicePixelRatio);
    this.canvas.height = Math.round(clientHeight * devicePixelRatio);
    this.draw();
  }
}
