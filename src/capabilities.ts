/**
 * Everything that this build can do: importing a capability registers its operations and trackers, and their types make
 * the type of the engine (api.ts).
 */
import './edges/index.ts';
import './flow/index.ts';
import './faces/index.ts';
import './image/operations.ts';
import './inpaint/index.ts';
import './objects/index.ts';
import './pupil/index.ts';
import './vessels/index.ts';
import type { cannyOperations } from './edges/canny-operation.ts';
import type { circleOperations } from './edges/circles-operation.ts';
import type { lineOperations } from './edges/lines-operation.ts';
import type { faceOperations } from './faces/operations.ts';
import type { faceTrackers } from './faces/tracker.ts';
import type { pointOperations } from './flow/operations.ts';
import type { flowOperations } from './flow/optical-flow.ts';
import type { imageOperations } from './image/operations.ts';
import type { inpaintOperations } from './inpaint/operation.ts';
import type { objectTrackers } from './objects/tracker.ts';
import type { pupilTrackers } from './pupil/tracker.ts';
import type { featureOperations } from './vessels/feature-operations.ts';
import type { hessianOperations } from './vessels/hessian-operation.ts';
import type { vesselOperations } from './vessels/vessels.ts';

export type Operations = typeof imageOperations &
  typeof cannyOperations &
  typeof lineOperations &
  typeof circleOperations &
  typeof flowOperations &
  typeof pointOperations &
  typeof inpaintOperations &
  typeof hessianOperations &
  typeof featureOperations &
  typeof vesselOperations &
  typeof faceOperations;
export type Trackers = typeof faceTrackers & typeof pupilTrackers & typeof objectTrackers;
