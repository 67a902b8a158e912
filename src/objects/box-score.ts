/** How well boxes agree with annotated ones: overlap, recall, precision, F. For tracks and for faces. */
import type { Box } from '../results/types.ts';
import { FoveolaError } from '../runtime/error.ts';
import { overlap } from '../image/boxes.ts';

// Annotated tracks as the data sets of tracking have them: a line a frame, four numbers, NaN where the target is absent.

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
          `Line ${i + 1} of the ground truth has ${numbers.length} values, '${line.slice(0, 60)}'. Write x, y, width, height or x1, y1, x2, y2 in each line, or NaN if the target is absent.`,
        );
      return numbers as unknown as Four;
    });
  const found = format ?? formatOf(lines, size);
  const boxes = lines.map((four) => box(four, found));
  if (!boxes.some(Boolean))
    throw new FoveolaError(
      'invalid-argument',
      'The ground truth has no box. Choose a file with four numbers in each line.',
    );
  return { format: found, boxes };
}

export interface BoxScore {
  /** Of the overlap of each annotated box with the result given to it, 0 where there is none. */
  overlaps: number[];
  given: number;
  /** Frames without an object, and those of them without a result. */
  empty: number;
  silent: number;
}

type Frames = ReadonlyMap<unknown, readonly Box[]>;

/** Counts over the frames that are annotated. Boxes are given to each other by falling overlap, each once. */
export function scoreFrames(found: Frames, annotated: Frames): BoxScore {
  const score: BoxScore = { overlaps: [], given: 0, empty: 0, silent: 0 };
  for (const [frame, boxes] of annotated) {
    const own = found.get(frame) ?? [];
    score.given += own.length;
    if (!boxes.length) {
      score.empty++;
      if (!own.length) score.silent++;
    }
    const pairs = boxes.flatMap((box, i) => own.map((other, j) => ({ i, j, value: overlap(box, other) })));
    const taken = new Map<number, number>();
    const used = new Set<number>();
    for (const { i, j, value } of pairs.sort((a, b) => b.value - a.value)) {
      if (value === 0 || taken.has(i) || used.has(j)) continue;
      taken.set(i, value);
      used.add(j);
    }
    boxes.forEach((_, i) => score.overlaps.push(taken.get(i) ?? 0));
  }
  return score;
}

export interface BoxFigures {
  /** Annotated boxes whose result overlaps them by at least the limit. */
  readonly hits: number;
  /** Their shares of the annotated boxes and of the results; NaN where there are none. */
  readonly recall: number;
  readonly precision: number;
  readonly f: number;
}

/** @param limit least overlap of a hit, 0 to 1 */
export function boxFigures({ overlaps, given }: BoxScore, limit: number): BoxFigures {
  const hits = overlaps.filter((value) => value >= limit).length;
  return {
    hits,
    recall: hits / overlaps.length,
    precision: hits / given,
    f: (2 * hits) / (overlaps.length + given),
  };
}

/** NaN where nothing is annotated. */
export const meanOverlap = ({ overlaps }: BoxScore): number =>
  overlaps.reduce((sum, value) => sum + value, 0) / overlaps.length;
