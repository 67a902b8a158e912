/** Images with the results drawn on them: a PNG for a photograph, a WebM for a recording. */
import {
  encodePng,
  encodeRecording,
  type DecodedFrame,
  type RecordingFile,
  type Source,
  type FrameTiming,
} from '../node/index.ts';
import type { Work } from './analyses/analysis.ts';

/** A mark drawn over an image: lines through points, in source pixels. */
export interface Mark {
  /** x, y, x, y ... */
  points: ArrayLike<number>;
  /** 'dots': a small cross at each point. */
  kind: 'closed' | 'dots';
}

const SIDES = 72;

export function ellipse(e: { x: number; y: number; major: number; minor: number; angle: number }): Mark {
  const points: number[] = [];
  for (let i = 0; i < SIDES; i++) {
    const t = (2 * Math.PI * i) / SIDES;
    const [u, v] = [(e.major / 2) * Math.cos(t), (e.minor / 2) * Math.sin(t)];
    points.push(
      e.x + u * Math.cos(e.angle) - v * Math.sin(e.angle),
      e.y + u * Math.sin(e.angle) + v * Math.cos(e.angle),
    );
  }
  return { points, kind: 'closed' };
}

export const box = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }): Mark => ({
  points: [x, y, x + width, y, x + width, y + height, x, y + height],
  kind: 'closed',
});

/** Calls `dot` for each pixel of the marks. `thick`: line width in pixels. */
function draw(marks: readonly Mark[], thick: number, dot: (x: number, y: number) => void): void {
  const square = (x: number, y: number) => {
    const from = -(thick >> 1);
    for (let dy = from; dy < from + thick; dy++)
      for (let dx = from; dx < from + thick; dx++) dot(Math.round(x) + dx, Math.round(y) + dy);
  };
  const line = (x0: number, y0: number, x1: number, y1: number) => {
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0))));
    for (let i = 0; i <= steps; i++) square(x0 + ((x1 - x0) * i) / steps, y0 + ((y1 - y0) * i) / steps);
  };
  for (const { points, kind } of marks) {
    const count = points.length >> 1;
    for (let i = 0; i < count; i++) {
      const [x, y] = [points[2 * i]!, points[2 * i + 1]!];
      if (kind === 'dots') {
        line(x - 2, y, x + 2, y);
        line(x, y - 2, x, y + 2);
        continue;
      }
      const next = (i + 1) % count;
      line(x, y, points[2 * next]!, points[2 * next + 1]!);
    }
  }
}

/** Color of the marks: light blue. */
const rgb = [0, 190, 255] as const;
/** Color of the marks in BT.601, video range. */
const yuv = [150, 190, 40] as const;

const thickness = (width: number, height: number) => Math.max(1, Math.round(Math.hypot(width, height) / 500));

export class Overlay {
  readonly #work: Work;
  readonly #name: string;
  #file: RecordingFile | null = null;

  /** @param name suffix after the input's name: 'pupil' produces pupil.overlay.webm or .png */
  constructor(work: Work, name: string) {
    this.#work = work;
    this.#name = name;
  }

  async add(source: Source, { mediaTime }: FrameTiming, marks: readonly Mark[]): Promise<void> {
    if (this.#work.input.kind === 'image') return this.#photograph(marks);
    const frame = source as DecodedFrame;
    const [width, height] = [frame.displayWidth, frame.displayHeight];
    this.#file ??= await encodeRecording(await this.#work.place(`${this.#name}.overlay.webm`), { width, height });
    const picture = await planes(frame);
    const across = (width + 1) >> 1;
    const luma = width * height;
    const chroma = across * ((height + 1) >> 1);
    draw(marks, thickness(width, height), (x, y) => {
      if (x < 0 || y < 0 || x >= width || y >= height) return;
      const at = luma + (y >> 1) * across + (x >> 1);
      picture[y * width + x] = yuv[0];
      picture[at] = yuv[1];
      picture[at + chroma] = yuv[2];
    });
    await this.#work.writing(() => this.#file!.add(picture, mediaTime));
  }

  async #photograph(marks: readonly Mark[]): Promise<void> {
    const { input, write } = this.#work;
    if (input.kind !== 'image') return;
    const { width, height, data } = input.file.image;
    const step = data.length / (width * height);
    const out = new Uint8Array(3 * width * height);
    for (let i = 0; i < width * height; i++)
      for (let c = 0; c < 3; c++) out[3 * i + c] = data[i * step + (step > 1 ? c : 0)]!;
    draw(marks, thickness(width, height), (x, y) => {
      if (x >= 0 && y >= 0 && x < width && y < height) out.set(rgb, 3 * (y * width + x));
    });
    const blob = await encodePng({ width, height, channels: 3, data: out });
    await write(`${this.#name}.overlay.png`, new Uint8Array(await blob.arrayBuffer()));
  }

  async close(): Promise<void> {
    const file = this.#file;
    if (file) await this.#work.writing(() => file.close());
  }
}

/** Y, U and V with halved chroma, video range. For other formats only the luma. */
async function planes(frame: DecodedFrame): Promise<Uint8Array> {
  const [width, height] = [frame.displayWidth, frame.displayHeight];
  const luma = width * height;
  const out = new Uint8Array(luma + 2 * ((width + 1) >> 1) * ((height + 1) >> 1)).fill(128);
  const own = new Uint8Array(frame.allocationSize());
  await frame.copyTo(own);
  if (frame.format === 'RGBA')
    for (let i = 0; i < luma; i++)
      out[i] = 16 + (66 * own[4 * i]! + 129 * own[4 * i + 1]! + 25 * own[4 * i + 2]!) / 256;
  else out.set(frame.format === 'I420' ? own : own.subarray(0, luma));
  if (frame.format !== 'RGBA' && frame.colorSpace.fullRange)
    for (let i = 0; i < luma; i++) out[i] = 16 + Math.round((out[i]! * 219) / 255);
  return out;
}
