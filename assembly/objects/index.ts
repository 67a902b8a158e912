export * from './confidences';
export * from './ferns';
export * from './patches';
export * from './variance';
