export * from './eigenvalues';
export * from './fundus';
export * from './oriented';
export * from './segment';
