export * from './confidences';
export * from './ferns';
export * from './histograms';
export * from './patches';
export * from './spectra';
export * from './variance';
