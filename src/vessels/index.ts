/** Retinal vessels. Importing registers the operations. */
export {
  vesselMeasuresOperations,
  type VesselMeasuresOptions,
  type VesselMeasuresResult,
} from './correct/operation.ts';
export { eigenvalueParameters } from './hessian/eigenvalue-parameters.ts';
export { hessian } from './hessian/eigenvalues.ts';
export {
  featureOperations,
  type FeatureResult,
  type Sigmas,
  type VesselnessResult,
} from './hessian/feature-operations.ts';
export { lineOrBlob, lineOrBlobParameters, vesselness, vesselnessParameters } from './hessian/features.ts';
export { hessianOperations, type HessianResult } from './hessian/hessian-operation.ts';
export { lineEnlarge } from './lines/enlarge.ts';
export { lineMaximum } from './lines/maximum.ts';
export { lineTerms } from './lines/terms.ts';
export { vesselParameters } from './parameters.ts';
export { opticDiscOperations } from './retina/operation.ts';
export { vesselOperations } from './vessels.ts';
