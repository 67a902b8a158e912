/** Edges, lines and circles. Importing registers the calls of the engine. */
import { canny } from './canny.ts';
import { circle, circles, octants } from './circles-stages.ts';
import { linePeaks, lineVotes } from './lines.ts';

export { cannyOperations } from './operations.ts';
export { canny, cannyOf } from './canny.ts';
export { cannyParameters, type CannyValues } from './parameters.ts';
export { circlesOf, type CircleQuestion } from './circles-stages.ts';
export { circleOperations } from './circles-operation.ts';
export {
  bestCircle,
  circleCandidates,
  distinctCircles,
  leastVotes,
  type CenterRegion,
  type VotedCircle,
  type CircleSearch,
} from './circles.ts';
export { bestCircleGpu, circlesFit } from './circles.gpu.ts';
export { circleOffsets, circleParameters, type CircleValues } from './parameters.ts';
export { edgeOctants } from './circles-stages.ts';
export { lineOperations } from './operations.ts';
export { linesFit } from './lines.gpu.ts';
export { linesOf, lineVotes, type Line } from './lines.ts';
export { accumulatorShape, lineParameters, type LineValues } from './parameters.ts';
export { segmentOf, type Segment } from './lines.ts';

/** Every stage of this capability, for the parity test and the bench. */
export const edgeStages = [canny, octants, lineVotes, linePeaks, circle, circles] as const;
