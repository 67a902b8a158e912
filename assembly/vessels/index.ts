export * from './background';
export * from './blocks';
export * from './combine';
export * from './eigenvalues';
export * from './enlarge';
export * from './features';
export * from './oriented';
export * from './segment';
