/** Start positions of a Starburst search. */
import type { PupilValues } from '../parameters.ts';
import type { Last } from '../search/method.ts';
import type { Region } from '../search/region.ts';

/** While the pupil stays lost, the best two regions are tried. All regions are tried in every eighth frame. */
const TRIED_WHILE_LOST = 2;
const ALL_EVERY = 8;

/** Start of the paper's variant: the last center. Otherwise the center of the region. */
export const paperStart = (last: Last | null, region: Region, values: PupilValues): { x: number; y: number } =>
  (values.tracking && last) || { x: (region.x0 + region.x1 - 1) / 2, y: (region.y0 + region.y1 - 1) / 2 };

/** Whether all regions are tried in this frame of a lost pupil. */
export const triesAll = (lost: number, { tracking }: PupilValues): boolean => !tracking || lost % ALL_EVERY === 0;

/** Number of regions to try without a last pupil. */
export const regionsToTry = (lost: number, values: PupilValues): number =>
  triesAll(lost, values) ? values.candidates : TRIED_WHILE_LOST;
