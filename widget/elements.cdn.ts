/** The elements that stand in foveola.cdn.js itself; the others come with foveola.cdn.full.js. */
export { FoveolaFilter } from './filter.ts';
export { FoveolaPupil } from './pupil.ts';
export { addStrings, type Dictionary as Strings } from './strings/index.ts';
