/** Defines every element. */
export { FoveolaFilter } from './filter.ts';
export { FoveolaPupil } from './pupil.ts';
export { addStrings, type Strings } from './strings/index.ts';
