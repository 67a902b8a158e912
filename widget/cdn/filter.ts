/** foveola-filter.cdn.js: only `<foveola-filter>`, with both backends of its stages. */
export * from './common.ts';
export { FoveolaFilter } from '../filter/filter.ts';
