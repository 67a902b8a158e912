/** Scores boxes against annotated boxes: overlap, recall, precision, F. For tracks and for faces. */
import type { Box } from '../results/types.ts';
import { FoveolaError } from '../runtime/error.ts';
import { overlap } from '../image/numbers.ts';

// Reads annotated tracks in the format of tracking data sets: one line per frame, four numbers, NaN if the target is
// absent.

/** `sides`: x, y, width, height, like in OTB. `corners`: x1, y1, x2, y2, like in TLD. */
export type TruthFormat = 'sides' | 'corners';

export interface BoxTruth {
  readonly format: TruthFormat;
  /** One entry per frame, starting at the first one. Null if the target is absent. */
  readonly boxes: readonly (Box | null)[];
}

type Four = readonly [number, number, number, number];

const box = ([x, y, c, d]: Four, format: TruthFormat): Box | null => {
  const [width, height] = format === 'corners' ? [c - x, d - y] : [c, d];
  return width > 0 && height > 0 ? { x, y, width, height } : null; // false also if a number is NaN
};

/**
 * Guesses the format, which the file does not state. The format is corners under two conditions: each second corner is
 * right of and below the first one, and a box would leave the image if the numbers were its width and height.
 */
function formatOf(lines: readonly Four[], { width, height }: { width: number; height: number }): TruthFormat {
  const there = lines.filter((four) => four.every((value) => Number.isFinite(value)));
  const ordered = there.every(([x, y, c, d]) => c > x && d > y);
  const outside = there.some(([x, y, c, d]) => x + c > 1.05 * width || y + d > 1.05 * height);
  return ordered && outside ? 'corners' : 'sides';
}

/**
 * @param size of the image
 * @param format if it is known; otherwise it is detected
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
  /** Overlap of each annotated box with the result matched to it, 0 without a match. */
  overlaps: number[];
  given: number;
  /** Number of frames without an object, and how many of them have no result. */
  empty: number;
  silent: number;
}

type Frames = ReadonlyMap<unknown, readonly Box[]>;

/** Counts over the annotated frames. Boxes are matched by decreasing overlap, each at most once. */
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
  /** Number of annotated boxes whose overlap with the matched result reaches the limit. */
  readonly hits: number;
  /** Hits as a share of the annotated boxes and of the results. NaN without any. */
  readonly recall: number;
  readonly precision: number;
  readonly f: number;
}

/** @param limit minimum overlap of a hit, 0 to 1 */
export function boxFigures({ overlaps, given }: BoxScore, limit: number): BoxFigures {
  const hits = overlaps.filter((value) => value >= limit).length;
  return {
    hits,
    recall: hits / overlaps.length,
    precision: hits / given,
    f: (2 * hits) / (overlaps.length + given),
  };
}

/** Mean overlap. NaN if nothing is annotated. */
export const meanOverlap = ({ overlaps }: BoxScore): number =>
  overlaps.reduce((sum, value) => sum + value, 0) / overlaps.length;
