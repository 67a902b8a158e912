/** Vessel masks compared with annotated ones: each pixel counts, within the field of view if its mask is available. */
import { FoveolaError, readImage, type GrayImage } from '../../node/index.ts';
import { fixed } from './numbers.ts';

export const head = ['', 'accuracy', 'sensitivity', 'specificity', 'precision', 'Dice'];

export interface MaskScore {
  both: number;
  missed: number;
  wrong: number;
  neither: number;
}

/** Samples of a mask: gray unchanged, or the red channel of a color image. */
async function samplesOf(file: string): Promise<GrayImage> {
  const { image } = await readImage(file);
  const { width, height, data } = image;
  const step = data.length / (width * height);
  return { width, height, data: Uint8Array.from({ length: width * height }, (_, i) => data[i * step]!) };
}

export async function scoreMasks(result: string, truth: string): Promise<MaskScore> {
  const [own, known] = await Promise.all([samplesOf(result), samplesOf(truth)]);
  if (own.width !== known.width || own.height !== known.height)
    throw new FoveolaError(
      'invalid-argument',
      `The mask ${truth} has ${known.width}x${known.height} pixels, the result ${own.width}x${own.height}. Annotate the image at its original size.`,
    );
  const score: MaskScore = { both: 0, missed: 0, wrong: 0, neither: 0 };
  for (let i = 0; i < own.data.length; i++) {
    const [a, b] = [own.data[i]! > 127, known.data[i]! > 127];
    score[a ? (b ? 'both' : 'wrong') : b ? 'missed' : 'neither']++;
  }
  return score;
}

export const addMasks = (a: MaskScore, b: MaskScore): MaskScore => ({
  both: a.both + b.both,
  missed: a.missed + b.missed,
  wrong: a.wrong + b.wrong,
  neither: a.neither + b.neither,
});

export const maskRow = (name: string, { both, missed, wrong, neither }: MaskScore): string[] => [
  name,
  ...[
    (both + neither) / (both + missed + wrong + neither),
    both / (both + missed),
    neither / (neither + wrong),
    both / (both + wrong),
    (2 * both) / (2 * both + missed + wrong),
  ].map((value) => fixed(value, 4)),
];
