export * from './eigenvalues';
export * from './features';
export * from './fundus';
export * from './oriented';
export * from './segment';
