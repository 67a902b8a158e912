/** Pictures with what was found drawn on them: a PNG of a photograph, a WebM of a recording. */
import { encodePng, encodeRecording, type DecodedFrame, type RecordingFile, type Source } from '../../node/index.ts';
import type { FrameTiming } from '../../node/index.ts';
import type { Work } from '../analyses/analysis.ts';
import { draw, type Mark } from './marks.ts';

/** Of the marks: light blue. */
const rgb = [0, 190, 255] as const;
/** The same in BT.601, video range. */
const yuv = [150, 190, 40] as const;

const thickness = (width: number, height: number) => Math.max(1, Math.round(Math.hypot(width, height) / 500));

export class Overlay {
  readonly #work: Work;
  readonly #name: string;
  #file: RecordingFile | null = null;

  /** @param name follows the input's name: 'pupil' gives pupil.overlay.webm or .png */
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

/** Y, U and V with halved chroma, video range; of other formats the luma alone. */
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
