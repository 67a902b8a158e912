/** One reference a stage, by the stage's name. Never shipped. */
import { canny } from './canny.ts';
import { components } from './components.ts';
import { fieldStage } from './dense-flow.ts';
import { edgeOctants } from './edges-octants.ts';
import {
  cascadeWindows,
  confirmedWindows,
  detection,
  landmarksOfBoxes,
  reduceSize,
  windowGroups,
} from './faces-detector.ts';
import { gaussian } from './gaussian.ts';
import { gradient, gradientFloat } from './gradient.ts';
import { gray, lumaRange } from './gray.ts';
import { allCircles, bestCircle, linePeaks, lineVotes } from './edges-votes.ts';
import type { Reference } from './image.ts';
import { inpaintFill, inpaintMatch, inpaintTerms } from './inpaint.ts';
import { integral, integralSquares } from './integral.ts';
import { median } from './median.ts';
import { dilate, erode, topHat } from './morphology.ts';
import { references as pupil } from './pupil-find.ts';
import { pyramidDown } from './pyramid.ts';
import { histogram, reduce, reduceFloat } from './reduce.ts';
import { compact, scan } from './scan.ts';
import { distanceTransform, skeleton } from './skeleton.ts';
import { threshold } from './threshold.ts';
import { lineOrBlob, vesselness } from './vessels-features.ts';
import { hessian } from './vessels-hessian.ts';
import { trackPoints } from './track-points.ts';
import { varianceMap } from './variance-map.ts';
import { lineResponse } from './vessels-line-response.ts';
import { lineEnlarge, lineMaximum, lineTerms } from './vessels-lines.ts';
import {
  blockBrightness,
  blockMeans,
  clean,
  contrast,
  fieldMask,
  fullSizeMasks,
  fullSizeValues,
  responseLevels,
} from './vessels-segment.ts';

export const references: Readonly<Record<string, Reference>> = {
  'image/gray': gray,
  'image/luma-range': lumaRange,
  'image/gaussian': gaussian,
  'image/median': median,
  'image/erode': erode,
  'image/dilate': dilate,
  'image/top-hat': topHat,
  'image/threshold': threshold,
  'image/gradient': gradient,
  'image/gradient-float': gradientFloat,
  'image/integral': integral,
  'image/integral-squares': integralSquares,
  'image/scan': scan,
  'image/scan-32': scan,
  'image/compact': compact,
  'image/reduce': reduce,
  'image/reduce-32': reduce,
  'image/reduce-float': reduceFloat,
  'image/histogram': histogram,
  'image/pyramid-down': pyramidDown,
  'image/components': components,
  'edges/canny': canny,
  'edges/octants': edgeOctants,
  'edges/line-votes': lineVotes,
  'edges/line-peaks': linePeaks,
  'edges/circle': bestCircle as Reference,
  'edges/circles': allCircles as Reference,
  'flow/track-points': trackPoints,
  'flow/dense': fieldStage(() => ({})),
  'flow/windows': fieldStage(() => ({ windows: true })),
  'flow/refine': fieldStage(({ variant }) => ({ refined: true, windows: variant === 'paper' })),
  'inpaint/fill': inpaintFill,
  'inpaint/terms': inpaintTerms,
  'inpaint/match': inpaintMatch,
  'vessels/hessian': hessian as Reference,
  'vessels/line-or-blob': lineOrBlob,
  'vessels/vesselness': vesselness as Reference,
  'vessels/line-enlarge': lineEnlarge,
  'vessels/line-terms': lineTerms,
  'vessels/line-maximum': lineMaximum,
  'vessels/line-response': lineResponse as Reference,
  'vessels/block-brightness': blockBrightness,
  'vessels/block-brightness-rgba': blockBrightness,
  'vessels/block-means': blockMeans,
  'vessels/block-means-rgba': blockMeans,
  'vessels/field-mask': fieldMask,
  'vessels/contrast': contrast,
  'vessels/response-levels': responseLevels,
  'vessels/clean': clean as Reference,
  'vessels/full-size-values': fullSizeValues as Reference,
  'vessels/full-size-masks': fullSizeMasks as Reference,
  'image/distance-transform': distanceTransform,
  'image/skeleton': skeleton,
  'faces/cascade': cascadeWindows as Reference,
  'faces/confirmation': confirmedWindows,
  'faces/detect': detection as Reference,
  'faces/grouping': windowGroups as Reference,
  'faces/landmarks': landmarksOfBoxes,
  'faces/resize': reduceSize as Reference,
  'faces/variance-map': varianceMap as Reference,
  ...pupil,
};
