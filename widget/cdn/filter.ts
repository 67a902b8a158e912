/** foveola-filter.cdn.js: `<foveola-filter>` alone, both sides of its stages. */
export * from './common.ts';
export { FoveolaFilter } from '../filter/filter.ts';
