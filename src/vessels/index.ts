/** Retinal vessels. Importing registers the operations. */
export {
  vesselMeasuresOperations,
  type VesselMeasuresOptions,
  type VesselMeasuresResult,
} from './correct/operation.ts';
export { eigenvalueParameters } from './hessian/parameters.ts';
export { hessian } from './hessian/eigenvalues.ts';
export { featureOperations, type FeatureResult, type Sigmas, type VesselnessResult } from './hessian/operations.ts';
export { lineOrBlob, lineOrBlobParameters, vesselness, vesselnessParameters } from './hessian/features.ts';
export { hessianOperations, type HessianResult } from './hessian/operations.ts';
export { lineEnlarge } from './lines/maximum.ts';
export { lineMaximum } from './lines/maximum.ts';
export { lineTerms } from './lines/maximum.ts';
export { vesselParameters } from './parameters.ts';
export { opticDiscOperations } from './retina/operation.ts';
export { vesselOperations } from './vessels.ts';
