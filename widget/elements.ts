/** Defines every element. */
export { FoveolaPupil } from './pupil.ts';
export { addStrings, type Strings } from './strings/index.ts';
