export * from './eigenvalues';
