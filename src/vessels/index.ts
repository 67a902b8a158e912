/** Retinal vessels. Importing registers the operations. */
export { eigenvalueParameters } from './eigenvalue-parameters.ts';
export { hessian } from './eigenvalues.ts';
export { featureOperations, type FeatureResult, type Sigmas, type VesselnessResult } from './feature-operations.ts';
export { lineOrBlob, lineOrBlobParameters, vesselness, vesselnessParameters } from './features.ts';
export { hessianOperations, type HessianResult } from './hessian-operation.ts';
export { lineEnlarge } from './line-enlarge.ts';
export { lineMaximum } from './line-maximum.ts';
export { lineTerms } from './line-terms.ts';
export { vesselParameters } from './parameters.ts';
export { vesselOperations } from './vessels.ts';
