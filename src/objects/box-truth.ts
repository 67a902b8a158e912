/** Annotated tracks as the data sets of tracking have them: a line a frame, four numbers, NaN where the target is absent. */
import type { Box } from '../results/types.ts';
import { FoveolaError } from '../runtime/error.ts';

/** `sides`: x, y, width, height, as in OTB; `corners`: x1, y1, x2, y2, as in TLD. */
export type TruthFormat = 'sides' | 'corners';

export interface BoxTruth {
  readonly format: TruthFormat;
  /** Of each frame from the first one; null where the target is absent. */
  readonly boxes: readonly (Box | null)[];
}

type Four = readonly [number, number, number, number];

const box = ([x, y, c, d]: Four, format: TruthFormat): Box | null => {
  const [width, height] = format === 'corners' ? [c - x, d - y] : [c, d];
  return width > 0 && height > 0 ? { x, y, width, height } : null; // also where a number is NaN
};

/**
 * Which of the two it is, is not said in such a file: corners where each second corner lies right of and below the first one,
 * and a box would leave the picture if the numbers were its width and height.
 */
function formatOf(lines: readonly Four[], { width, height }: { width: number; height: number }): TruthFormat {
  const there = lines.filter((four) => four.every((value) => Number.isFinite(value)));
  const ordered = there.every(([x, y, c, d]) => c > x && d > y);
  const outside = there.some(([x, y, c, d]) => x + c > 1.05 * width || y + d > 1.05 * height);
  return ordered && outside ? 'corners' : 'sides';
}

/**
 * @param size of the picture
 * @param format where it is known; else it is found out
 * @throws {FoveolaError} 'invalid-argument'
 */
export function readTruth(text: string, size: { width: number; height: number }, format?: TruthFormat): BoxTruth {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(
      (line, i) =>
        line !== '' &&
        !line.startsWith('#') &&
        !(i === 0 && /^[a-z]\w*\s*[,;\s]\s*[a-z]/i.test(line) && !/^nan/i.test(line)),
    )
    .map((line, i): Four => {
      const numbers = line.split(/[,;\s]+/).map(Number);
      if (numbers.length !== 4)
        throw new FoveolaError(
          'invalid-argument',
          `Line ${i + 1} of the ground truth has ${numbers.length} values, '${line.slice(0, 60)}'. Wanted are x, y, width, height or x1, y1, x2, y2 in each line, NaN where the target is absent.`,
        );
      return numbers as unknown as Four;
    });
  const found = format ?? formatOf(lines, size);
  const boxes = lines.map((four) => box(four, found));
  if (!boxes.some(Boolean))
    throw new FoveolaError(
      'invalid-argument',
      'The ground truth has no box in it. Choose a file with four numbers in each line.',
    );
  return { format: found, boxes };
}
