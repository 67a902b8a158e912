/**
 * Draws filter results over the image: edges, lines, flow as colors or arrows, a retouched image with its mask. All
 * coordinates are source pixels. Drawing is clipped to the result's part of the image width.
 */
import type { OpticalFlowResult, GrayImage, Line } from '../../src/index.ts';
import type { NumberFormat } from '../strings/index.ts';
import type { Box, Colors, View } from '../base/overlay.ts';
import { paintRows } from '../base/canvas.ts';

// Optical flow as colors: hue is the direction, saturation is the speed. This is the usual wheel of 55 hues from Baker
// et al., "A Database and Evaluation Methodology for Optical Flow", 2011.

/** Number of hues between red, yellow, green, cyan, blue, magenta and red. */
const steps = [15, 6, 4, 11, 13, 6];
const corners = [
  [255, 0, 0],
  [255, 255, 0],
  [0, 255, 0],
  [0, 255, 255],
  [0, 0, 255],
  [255, 0, 255],
] as const;

const wheel: readonly (readonly number[])[] = steps.flatMap((count, i) =>
  Array.from({ length: count }, (_, k) => {
    const [from, to] = [corners[i]!, corners[(i + 1) % 6]!];
    return from.map((v, c) => v + ((to[c]! - v) * k) / count);
  }),
);

/**
 * Writes the color of a motion to `out`. `speed` is its length relative to the maximum: 0 is white, 1 is saturated, and
 * higher values are darker.
 */
export function flowColor(u: number, v: number, speed: number, out: Uint8ClampedArray, at: number): void {
  const turn = (Math.atan2(-v, -u) / Math.PI + 1) / 2;
  const place = turn * (wheel.length - 1);
  const k = Math.floor(place);
  const [a, b] = [wheel[k]!, wheel[(k + 1) % wheel.length]!];
  for (let c = 0; c < 3; c++) {
    const full = a[c]! + (b[c]! - a[c]!) * (place - k);
    out[at + c] = speed <= 1 ? 255 - speed * (255 - full) : 0.75 * full;
  }
}

/** 90th percentile of the speed of all measured pixels, at least half a pixel. */
function typicalSpeed({ u, v, valid }: OpticalFlowResult): number {
  const speeds: number[] = [];
  const step = Math.max(1, Math.floor(u.length / 4000));
  for (let i = 0; i < u.length; i += step) if (valid[i]) speeds.push(Math.hypot(u[i]!, v[i]!));
  speeds.sort((a, b) => a - b);
  return Math.max(0.5, speeds[Math.floor(0.9 * speeds.length)] ?? 0);
}

/** Flow as an image. Pixels without a measurement are transparent. */
function flowPicture({ width, height, u, v, valid }: OpticalFlowResult, greatest: number): ImageData {
  const picture = new ImageData(width, height);
  for (let i = 0; i < u.length; i++) {
    if (!valid[i]) continue;
    // hypot takes five times as long.
    flowColor(u[i]!, v[i]!, Math.sqrt(u[i]! ** 2 + v[i]! ** 2) / greatest, picture.data, 4 * i);
    picture.data[4 * i + 3] = 255;
  }
  return picture;
}

/** Color key: each direction in its color. The rim is the maximum speed. */
export function flowKey(radius: number): ImageData {
  const side = 2 * radius + 1;
  const picture = new ImageData(side, side);
  for (let y = -radius; y <= radius; y++)
    for (let x = -radius; x <= radius; x++) {
      const length = Math.hypot(x, y);
      const at = 4 * ((y + radius) * side + x + radius);
      flowColor(x, y, Math.min(1, length / radius), picture.data, at);
      picture.data[at + 3] = 255 * Math.max(0, Math.min(1, radius + 0.5 - length));
    }
  return picture;
}

/** Covered part of the image, as start and end fractions of its width (0 to 1) on the screen. */
interface Part {
  readonly from: number;
  readonly to: number;
}

export interface Frame extends Part {
  readonly width: number;
  readonly height: number;
}

const arrowEvery = 22;

/** Runs `draw` in source pixels, clipped to the part that shows the result. Returns the image's box on the canvas. */
export function inPicture(
  context: CanvasRenderingContext2D,
  view: View,
  { width, height, from: start, to }: Frame,
  draw: (unit: number) => void,
): Box {
  const { mirror, scale, scaleY, left, top } = view;
  const right = mirror ? view.width - left : left;
  const from = mirror ? right - width * scale : left;
  context.save();
  context.setTransform(mirror ? -scale : scale, 0, 0, scaleY, right, top);
  context.beginPath();
  // In a mirrored image, the left part of the screen is the right part of the source.
  context.rect((mirror ? 1 - to : start) * width, 0, (to - start) * width, height);
  context.clip();
  context.imageSmoothingEnabled = scale < 1;
  draw(view.ratio / scale);
  context.restore();
  if (start > 0 && start < 1) {
    const x = Math.round(from + start * width * scale);
    context.fillStyle = 'rgb(0 0 0 / 45%)';
    context.fillRect(x - 2 * view.ratio, top, 4 * view.ratio, height * scaleY);
    context.fillStyle = '#fff';
    context.fillRect(x - view.ratio, top, 2 * view.ratio, height * scaleY);
  }
  return [from - 4, top - 4, from + width * scale + 4, top + height * scaleY + 4];
}

/** Letters A and B next to the divider, so that a saved image shows which result is which. */
export function drawLetters(
  context: CanvasRenderingContext2D,
  { ratio }: View,
  [left, top, right, bottom]: Box,
  at: number,
): void {
  const x = left + 4 + at * (right - left - 8);
  context.font = `600 ${16 * ratio}px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const [letter, away] of [
    ['A', -26],
    ['B', 26],
  ] as const) {
    const [cx, cy] = [x + away * ratio, Math.max(top, bottom - 30 * ratio)];
    if (cx < left || cx > right) continue;
    context.fillStyle = 'rgb(8 14 20 / 76%)';
    context.beginPath();
    context.roundRect(cx - 13 * ratio, cy - 13 * ratio, 26 * ratio, 26 * ratio, 7 * ratio);
    context.fill();
    context.fillStyle = '#fff';
    context.fillText(letter, cx, cy + ratio);
  }
}

/** Returns a canvas with these pixels. */
export function canvasOf(picture: ImageData, canvas = document.createElement('canvas')): HTMLCanvasElement {
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext('2d')!.putImageData(picture, 0, 0);
  return canvas;
}

/** Joins two images of equal size side by side, the first on the left. */
export function besideEachOther(first: HTMLCanvasElement, second: HTMLCanvasElement): HTMLCanvasElement {
  const { width, height } = first;
  const both = canvasOf(new ImageData(2 * width, height));
  const context = both.getContext('2d')!;
  context.drawImage(first, 0, 0);
  context.drawImage(second, width, 0);
  return both;
}

/** Paints unchanged gray values of every `side`th pixel in both directions. */
export function paintGray(
  { width, height, data }: GrayImage,
  canvas = document.createElement('canvas'),
  side = 1,
): HTMLCanvasElement {
  const size = { width: Math.ceil(width / side), height: Math.ceil(height / side) };
  return paintRows(canvas, size, (words, top, rows) => {
    for (let y = 0, i = 0; y < rows; y++)
      for (let x = 0, from = side * (top + y) * width; x < size.width; x++, from += side)
        words[i++] = 0xff000000 | (data[from]! * 0x010101);
  });
}

export function drawLines(context: CanvasRenderingContext2D, lines: readonly Line[], colors: Colors, unit: number) {
  context.lineCap = 'round';
  for (const [style, width] of [
    [colors.halo, 4],
    [colors.ellipse, 2],
  ] as const) {
    context.strokeStyle = style;
    context.lineWidth = width * unit;
    context.beginPath();
    for (const { x1, y1, x2, y2 } of lines) {
      if (x1 === undefined) continue; // no edge in this direction
      context.moveTo(x1 + 0.5, y1! + 0.5);
      context.lineTo(x2! + 0.5, y2! + 0.5);
    }
    context.stroke();
  }
}

/** Draws arrows on a grid. At the maximum speed an arrow is as long as a grid cell. */
function drawArrows(
  context: CanvasRenderingContext2D,
  { width, height, u, v, valid }: OpticalFlowResult,
  greatest: number,
  colors: Colors,
  unit: number,
): void {
  const every = Math.max(4, arrowEvery * unit);
  const stretch = (0.9 * every) / greatest;
  const path = new Path2D();
  for (let gy = every / 2; gy < height; gy += every)
    for (let gx = every / 2; gx < width; gx += every) {
      const i = Math.floor(gy) * width + Math.floor(gx);
      if (!valid[i]) continue;
      const [dx, dy] = [u[i]! * stretch, v[i]! * stretch];
      const length = Math.hypot(dx, dy);
      if (length < unit) continue;
      const [x, y] = [gx + dx, gy + dy];
      path.moveTo(gx, gy);
      path.lineTo(x, y);
      const head = Math.min(0.4 * length, 5 * unit) / length;
      path.moveTo(x - head * (dx - dy), y - head * (dy + dx));
      path.lineTo(x, y);
      path.lineTo(x - head * (dx + dy), y - head * (dy - dx));
    }
  context.lineCap = context.lineJoin = 'round';
  context.strokeStyle = colors.halo;
  context.lineWidth = 3.6 * unit;
  context.stroke(path);
  context.strokeStyle = colors.points;
  context.lineWidth = 1.6 * unit;
  context.stroke(path);
}

/** Draws flow. Keeps its images, and a speed scale that does not flicker. */
export class FlowDrawing {
  readonly #canvas = document.createElement('canvas');
  #key: HTMLCanvasElement | null = null;
  #flow: OpticalFlowResult | null = null;
  #greatest = 0;

  clear(): void {
    this.#flow = null;
    this.#greatest = 0;
  }

  /** Speed at the rim of the key, in pixels per frame. */
  get greatest(): number {
    return this.#greatest;
  }

  /** Colors as an image. Null before the first flow. */
  get picture(): HTMLCanvasElement | null {
    return this.#flow && this.#canvas;
  }

  set(flow: OpticalFlowResult): void {
    this.#flow = flow;
    const speed = typicalSpeed(flow);
    this.#greatest = this.#greatest ? this.#greatest + 0.15 * (speed - this.#greatest) : speed;
    canvasOf(flowPicture(flow, this.#greatest), this.#canvas);
  }

  draw(
    context: CanvasRenderingContext2D,
    view: View,
    colors: Colors,
    how: Part & { colors: boolean; arrows: boolean; unit: string; number: NumberFormat },
  ): Box | null {
    const flow = this.#flow;
    if (!flow) return null;
    const box = inPicture(context, view, { ...how, width: flow.width, height: flow.height }, (unit) => {
      if (how.colors) {
        context.globalAlpha = 0.82;
        context.drawImage(this.#canvas, 0, 0);
        context.globalAlpha = 1;
      }
      if (how.arrows) drawArrows(context, flow, this.#greatest, colors, unit);
    });
    if (how.colors) this.#drawKey(context, view, box, (speed) => `${how.number(speed, 1)} ${how.unit}`);
    return box;
  }

  #drawKey(
    context: CanvasRenderingContext2D,
    view: View,
    [, , right, bottom]: Box,
    text: (speed: number) => string,
  ): void {
    const { ratio } = view;
    const radius = Math.round(34 * ratio);
    if (this.#key?.width !== 2 * radius + 1) this.#key = canvasOf(flowKey(radius));
    const x = right - 4 - 2 * radius - 14 * ratio;
    const y = bottom - 4 - 2 * radius - 34 * ratio;
    context.fillStyle = 'rgb(8 14 20 / 70%)';
    context.beginPath();
    context.roundRect(x - 8 * ratio, y - 8 * ratio, 2 * radius + 16 * ratio, 2 * radius + 34 * ratio, 10 * ratio);
    context.fill();
    context.drawImage(this.#key, x, y);
    context.fillStyle = '#fff';
    context.font = `600 ${12 * ratio}px system-ui, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    context.fillText(text(this.#greatest), x + radius, y + 2 * radius + 18 * ratio);
  }
}
