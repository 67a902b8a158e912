/**
 * What a found box is judged by (src/faces/judge.ts): a template of oriented gradients, and how much it counts beside the
 * windows of the two cascades. `npm run train:judge` makes one. The compact form, little endian: u16 cells on each side, u16
 * channels of a cell, u16 stages of the first cascade, u16 zero; f32 weights: constant, template, windows, confirmed; f32
 * constant of the template and the value of a step; then its steps, i8, cell by cell.
 */
import type { Runtime } from '../runtime/runtime.ts';
import { ModelReader, ModelWriter, packModel, unpackModel, wrongFormat } from './container.ts';
import { ModelCache } from './load.ts';

/** Cells on each side of what is looked at, and numbers of each; the kernel adds a zero to these. */
export const JUDGE_CELLS = 10;
export const JUDGE_CHANNELS = 27;
const NUMBERS = JUDGE_CELLS * JUDGE_CELLS * JUDGE_CHANNELS;

export interface FaceJudge {
  /** Stages of the first cascade that a window must pass to be judged. */
  readonly stages: number;
  /** Log odds of a face: constant, and for the template's value and the logarithms of windows and confirmed windows. */
  readonly weights: readonly [number, number, number, number];
  readonly constant: number;
  /** By cell, 27 numbers each. */
  readonly template: Float32Array;
  readonly notice: string;
}

/** @throws {FoveolaError} 'model-format' for numbers that are none */
export function packJudge({ stages, weights, constant, template, notice }: FaceJudge): Uint8Array<ArrayBuffer> {
  if (template.length !== NUMBERS || !template.every(Number.isFinite))
    throw wrongFormat(`The template has ${template.length} numbers; ${NUMBERS} are needed, all finite.`);
  const step = template.reduce((most, v) => Math.max(most, Math.abs(v)), 0) / 127 || 1;
  const out = new ModelWriter();
  for (const v of [JUDGE_CELLS, JUDGE_CHANNELS, stages, 0]) out.u16(v);
  for (const v of [...weights, constant, step]) out.f32(v);
  out.bytes(Int8Array.from(template, (v) => Math.round(v / step)));
  return packModel('judge', out.done(), notice);
}

/** @throws {FoveolaError} 'model-format', 'model-checksum' */
export function readJudge(bytes: Uint8Array): FaceJudge {
  const { payload, notice } = unpackModel(bytes, 'judge');
  const from = new ModelReader(payload);
  const [cells, channels, stages] = [from.u16(), from.u16(), from.u16()];
  from.u16();
  const weights = [from.f32(), from.f32(), from.f32(), from.f32()] as const;
  const [constant, step] = [from.f32(), from.f32()];
  if (cells !== JUDGE_CELLS || channels !== JUDGE_CHANNELS || from.left !== NUMBERS)
    throw wrongFormat('The judge looks at other cells than this build. Take the file that came with it.');
  if (stages < 1 || ![...weights, constant, step].every(Number.isFinite))
    throw wrongFormat('A number of the judge is none.');
  const template = Float32Array.from(new Int8Array(from.bytes(NUMBERS).slice().buffer), (v) => v * step);
  return { stages, weights, constant, template, notice };
}

const cache = new ModelCache({ kind: 'judge', shipped: ['face-judge'], limit: 1 << 20, read: readJudge });

/** The shipped one; null where its file is missing: then the two cascades decide. */
export const loadJudge = (runtime: Runtime): Promise<FaceJudge | null> =>
  cache.get(runtime, 'face-judge').catch(() => null);
