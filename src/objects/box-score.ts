/** How well boxes agree with annotated ones: overlap, recall, precision, F. For tracks and for faces. */
import { overlap } from '../image/boxes.ts';
import type { Box } from '../results/types.ts';

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
