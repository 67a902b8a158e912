/**
 * Results along the timeline, on one canvas: found low, blinks half, closures higher, losses as high as the strip. The
 * heights make them clear without color. Recorded parts are a line above, markers are flags.
 */
import { Palette } from '../base/canvas.ts';
import type { Entry, FrameState } from './known-results.ts';

const colorNames = ['line', 'line-second', 'danger', 'mark', 'accent', 'border', 'hover'] as const;
const looks: Record<FrameState, { readonly height: number; readonly color: (typeof colorNames)[number] }> = {
  unknown: { height: 0.12, color: 'border' },
  found: { height: 0.28, color: 'line' },
  blink: { height: 0.6, color: 'line-second' },
  closure: { height: 0.8, color: 'line-second' },
  lost: { height: 1, color: 'danger' },
};
const ranks: Record<FrameState, number> = { unknown: 0, found: 1, lost: 2, blink: 3, closure: 4 };

export interface StripModel {
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
    if (loop) fill(colors.hover, at(loop[0] * 1000), at(loop[1] * 1000), 0, height);
    fill(colors.border, 0, width, height * (1 - looks.unknown.height), height);
    for (const [column, state] of this.#columns(entries, stateOf, at, interval)) {
      const { height: share, color } = looks[state];
      fill(colors[color], column, column + 1, height * (1 - share), height);
    }
    const line = Math.max(1, Math.round(height / 12));
    for (const [from, to] of recorded) fill(colors.danger, at(from), at(to + interval), 0, line);
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
