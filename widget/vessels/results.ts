/** Results of `<foveola-vessels>`: drawn over the image, and compared with the photograph. */
import type { ElementParts } from '../base/element-parts.ts';
import { Divider } from '../base/controls.ts';
import type { VesselFrame } from './tracker.ts';
import type { GrayImage, VesselSegment } from '../../src/index.ts';
import { inPicture } from '../filter/draw-results.ts';
import type { Box, Colors, View } from '../base/overlay.ts';
import { paintMask } from '../base/canvas.ts';

// Before and after: a divider across the stage. The photograph is shown alone while a button or a key is held.

export class ComparisonController {
  readonly #parts: ElementParts<VesselFrame>;
  readonly #own: { compare: number };
  readonly #divider: Divider;
  #original = false;

  constructor(parts: ElementParts<VesselFrame>, own: { compare: number }) {
    this.#parts = parts;
    this.#own = own;
    this.#divider = new Divider({
      moved: (percent) => (own.compare = Math.max(0.1, percent)),
      leave: () => this.toggle(),
      describe: (percent) => {
        const { compare: label, compareAt } = parts.strings.vessels;
        return { label, value: compareAt(percent) };
      },
    });
    parts.host.add(this);
  }

  /** The divider. */
  get layer(): HTMLElement {
    return this.#divider.element;
  }

  /** Position of the divider, 0 to 1. The original photograph is visible left of it. */
  get split(): number {
    return this.#original ? 1 : Math.max(0, Math.min(1, this.#own.compare / 100));
  }

  toggle(): void {
    const { host } = this.#parts;
    this.#own.compare = this.#own.compare > 0 ? 0 : 50;
    if (this.#own.compare) void host.element.updateComplete.then(() => this.#divider.element.focus());
    else host.focusStage();
  }

  showOriginal(on: boolean): void {
    if (on === this.#original) return;
    this.#original = on;
    this.#parts.host.kind.draw();
  }

  updated(): void {
    this.#divider.show(this.#parts.feed && this.#own.compare > 0 ? this.#own.compare : null);
  }

  left(): void {
    this.#original = false;
  }
}

// Draws vessels on the overlay: the mask in a color, centerlines with branch points, and the selected segment. The
// mask is stored at several sizes, so that a large photograph is drawn as fast and as smoothly as a small one.

interface VesselView {
  color: string;
  /** 0 to 1. */
  opacity: number;
  /** Centerlines and branch points. */
  lines: boolean;
  chosen: number | null;
  hovered: number | null;
  /** Part of the stage, from the left, that shows the original image. */
  split: number;
  /** Draws over the vessels, in image pixels. `unit`: one screen pixel in image pixels. */
  over?(context: CanvasRenderingContext2D, unit: number, halo: string): void;
}

function canvasSized(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

function halved(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const half = canvasSized(Math.ceil(canvas.width / 2), Math.ceil(canvas.height / 2));
  half.getContext('2d')!.drawImage(canvas, 0, 0, half.width, half.height);
  return half;
}

const lineOf = ({ points }: VesselSegment, path = new Path2D()): Path2D => {
  for (let k = 0; k < points.length; k += 2)
    if (k) path.lineTo(points[k]! + 0.5, points[k + 1]! + 0.5);
    else path.moveTo(points[k]! + 0.5, points[k + 1]! + 0.5);
  return path;
};

/** A mask in a color, at several sizes, the largest first. */
class Tinted {
  readonly #sizes: HTMLCanvasElement[];
  #color = '';

  constructor(mask: GrayImage) {
    this.#sizes = [paintMask(mask, [255, 255, 255], document.createElement('canvas'))];
    for (let last = this.#sizes[0]!; last.width > 512; this.#sizes.push(last)) last = halved(last);
  }

  /** Draws over `width` x `height`. `scale`: device pixels per unit. */
  draw(context: CanvasRenderingContext2D, color: string, width: number, height: number, scale: number): void {
    if (color !== this.#color) this.#tint(color);
    const least = width * scale;
    const canvas = this.#sizes.filter((size) => size.width >= least).at(-1) ?? this.#sizes[0]!;
    context.imageSmoothingEnabled = canvas.width >= least || canvas.width < width; // enlarged full-size masks stay sharp
    context.drawImage(canvas, 0, 0, width, height);
  }

  #tint(color: string): void {
    this.#color = color;
    for (const canvas of this.#sizes) {
      const context = canvas.getContext('2d')!;
      context.globalCompositeOperation = 'source-in';
      context.fillStyle = color;
      context.fillRect(0, 0, canvas.width, canvas.height);
    }
  }
}

export class VesselDrawing {
  #frame: VesselFrame | null = null;
  #mask: Tinted | null = null;
  /** Paths of all segments, created when they are first shown, and paths of highlighted segments. */
  #lines: Path2D | null = null;
  readonly #single = new Map<number, Path2D>();

  set(frame: VesselFrame | null): void {
    this.#frame = frame;
    this.#mask = frame && new Tinted(frame.mask);
    this.#lines = null;
    this.#single.clear();
  }

  draw(context: CanvasRenderingContext2D, view: View, colors: Colors, how: VesselView): Box | null {
    const frame = this.#frame;
    if (!frame) return null;
    const { width, height } = frame;
    context.save();
    const from = Math.round(how.split * view.width);
    context.beginPath();
    context.rect(from, 0, view.width - from, view.height);
    context.clip();
    const box = inPicture(context, view, { width, height, from: 0, to: 1 }, (unit) => {
      context.globalAlpha = how.opacity;
      this.#mask!.draw(context, how.color, width, height, view.scale);
      context.globalAlpha = 1;
      if (how.lines) this.#drawLines(context, colors, unit);
      how.over?.(context, unit, colors.halo);
      if (how.hovered !== null && how.hovered !== how.chosen) this.#drawSegment(context, how.hovered, '#fff', unit);
      if (how.chosen !== null) this.#drawSegment(context, how.chosen, colors.points, unit);
    });
    context.restore();
    return box;
  }

  #drawLines(context: CanvasRenderingContext2D, colors: Colors, unit: number): void {
    const { segments = [], branchPoints = [] } = this.#frame!;
    if (!this.#lines) {
      this.#lines = new Path2D();
      for (const segment of segments) lineOf(segment, this.#lines);
    }
    context.lineJoin = context.lineCap = 'round';
    context.strokeStyle = colors.center;
    context.lineWidth = 1.4 * unit;
    context.stroke(this.#lines);
    context.fillStyle = colors.points;
    context.strokeStyle = colors.halo;
    context.lineWidth = unit;
    context.beginPath();
    for (const { x, y } of branchPoints) {
      context.moveTo(x + 0.5 + 2.8 * unit, y + 0.5);
      context.arc(x + 0.5, y + 0.5, 2.8 * unit, 0, 2 * Math.PI);
    }
    context.fill();
    context.stroke();
  }

  /** Draws a segment as wide as the vessel, with a minimum visible width. */
  #drawSegment(context: CanvasRenderingContext2D, index: number, color: string, unit: number): void {
    const segment = this.#frame!.segments?.[index];
    if (!segment) return;
    let path = this.#single.get(index);
    if (!path) this.#single.set(index, (path = lineOf(segment)));
    context.lineJoin = 'round';
    context.lineCap = 'butt'; // otherwise a short piece of a wide vessel would be a blob
    const width = Math.max(segment.width ?? 0, 3 * unit);
    context.strokeStyle = 'rgb(0 0 0 / 70%)';
    context.lineWidth = width + 4 * unit;
    context.stroke(path);
    context.strokeStyle = color;
    context.lineWidth = width;
    context.stroke(path);
  }
}
