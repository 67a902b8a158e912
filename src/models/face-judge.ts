/**
 * The face verifier (src/faces/judge.ts): templates of oriented gradients, and the weight of the best template compared
 * with the windows of the two cascades. `npm run lab -- train-judge` makes one.
 *
 * Compact form, little endian: u16 cells on each side, u16 channels per cell, u16 stages of the first cascade, u16
 * templates. Then f32 weights (constant, template, windows, confirmed) and f32 gain. For each template: f32 constant,
 * f32 value of a step, and its steps, i8, cell by cell. The first template is for faces seen from the front. Every
 * other template also has a mirrored version.
 */
import type { Runtime } from '../runtime/runtime.ts';
import { ModelReader, ModelWriter, packModel, unpackModel, wrongFormat } from './container.ts';
import { goOnWithout, ModelCache } from './load.ts';

/** Cells across and down a template, and numbers per cell. The kernel adds a zero to these. */
export const JUDGE_CELLS = 10;
export const JUDGE_CHANNELS = 27;
const NUMBERS = JUDGE_CELLS * JUDGE_CELLS * JUDGE_CHANNELS;
const MOST_TEMPLATES = 16;

export interface FaceTemplate {
  readonly constant: number;
  /** By cell, 27 numbers each. */
  readonly template: Float32Array;
}

export interface FaceJudge {
  /** Number of stages of the first cascade that a window must pass before it is verified. */
  readonly stages: number;
  /**
   * Log odds of a face: the constant, and the weights of the template value and of the logarithms of windows and
   * verified windows.
   */
  readonly weights: readonly [number, number, number, number];
  /** Usual maximum gain in a face's value from a check at other sizes. */
  readonly gain: number;
  /** Views of a face, the first from the front. */
  readonly templates: readonly FaceTemplate[];
  readonly notice: string;
}

/** For each number of the gradients of a mirrored box, returns its index in the original. */
export const mirroredNumbers = (): Int32Array =>
  Int32Array.from({ length: NUMBERS }, (_, at) => {
    const [cell, k] = [Math.floor(at / JUDGE_CHANNELS), at % JUDGE_CHANNELS];
    // Direction k is at k times 20 degrees, both for signed and for unsigned directions.
    const other = k < 18 ? (27 - k) % 18 : 18 + ((27 - k) % 9);
    const column = cell % JUDGE_CELLS;
    return (cell - column + JUDGE_CELLS - 1 - column) * JUDGE_CHANNELS + other;
  });

/** Returns all views. Views other than the first are also used mirrored. */
export function viewsOf({ templates: [front, ...turned] }: FaceJudge): FaceTemplate[] {
  const from = mirroredNumbers();
  const mirrored = ({ constant, template }: FaceTemplate) => ({ constant, template: template.map((_, k) => template[from[k]!]!) }); // prettier-ignore
  return [front!, ...turned.flatMap((one) => [one, mirrored(one)])];
}

/** @throws {FoveolaError} 'model-format' if a number is not finite */
export function packJudge({ stages, weights, gain, templates, notice }: FaceJudge): Uint8Array<ArrayBuffer> {
  const wrong = templates.find(({ template }) => template.length !== NUMBERS || !template.every(Number.isFinite));
  if (wrong) throw wrongFormat(`A template has ${wrong.template.length} numbers. It needs ${NUMBERS} finite numbers.`);
  const out = new ModelWriter();
  for (const v of [JUDGE_CELLS, JUDGE_CHANNELS, stages, templates.length]) out.u16(v);
  for (const v of [...weights, gain]) out.f32(v);
  for (const { constant, template } of templates) {
    const step = template.reduce((most, v) => Math.max(most, Math.abs(v)), 0) / 127 || 1;
    for (const v of [constant, step]) out.f32(v);
    out.bytes(Int8Array.from(template, (v) => Math.round(v / step)));
  }
  return packModel('judge', out.done(), notice);
}

/** @throws {FoveolaError} 'model-format', 'model-checksum' */
export function readJudge(bytes: Uint8Array): FaceJudge {
  const { payload, notice } = unpackModel(bytes, 'judge');
  const from = new ModelReader(payload);
  const [cells, channels, stages, count] = [from.u16(), from.u16(), from.u16(), from.u16()];
  const weights = [from.f32(), from.f32(), from.f32(), from.f32()] as const;
  const gain = from.f32();
  const sizes = cells === JUDGE_CELLS && channels === JUDGE_CHANNELS && count > 0 && count <= MOST_TEMPLATES;
  if (!sizes || from.left !== count * (NUMBERS + 8))
    throw wrongFormat('The face verifier uses different cells. Use the file of this version.');
  const templates = Array.from({ length: count }, () => {
    const [constant, step] = [from.f32(), from.f32()];
    const template = Float32Array.from(new Int8Array(from.bytes(NUMBERS).slice().buffer), (v) => v * step);
    return { constant, template };
  });
  const numbers = [...weights, gain, ...templates.flatMap(({ constant, template }) => [constant, template[0]!])];
  if (stages < 1 || !numbers.every(Number.isFinite))
    throw wrongFormat('The face verifier has a number that is not finite.');
  return { stages, weights, gain, templates, notice };
}

const cache = new ModelCache({ kind: 'judge', shipped: ['face-judge'], limit: 1 << 20, read: readJudge });

/**
 * Loads the shipped face verifier. Returns null if its file is missing or broken. Then the two cascades decide, and the
 * console has a warning.
 */
export const loadJudge = (runtime: Runtime): Promise<FaceJudge | null> =>
  cache.get(runtime, 'face-judge').catch((error) => {
    goOnWithout(runtime, 'face verifier', error);
    return null;
  });
