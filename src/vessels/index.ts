/** Retinal vessels. Importing registers the operations. */
export { eigenvalueParameters, hessian } from './eigenvalues.ts';
export { hessianOperation, type HessianResult } from './hessian-operation.ts';
export { vesselParameters } from './parameters.ts';
export { vesselsOperation } from './vessels.ts';
