/**
 * Frameworks give to properties what HTML gives to attributes: React, Vue, Svelte and Preact set the property `eyes` where
 * a template says `eyes="2"`, and unset one by undefined, null or ''. What the attribute would give is meant.
 */
import type { PropertyDeclaration } from 'lit';

export function givenValue(value: unknown, declaration: PropertyDeclaration, initial: () => unknown): unknown {
  const { type, attribute, converter } = declaration;
  if (value === undefined || value === null) return initial();
  if (attribute === false || type === Boolean) return value;
  if (value === true) return ''; // the attribute is there, without a value
  if (value === false) return initial(); // it is not there
  if (typeof value !== 'string') return value;
  if (typeof converter === 'function') return converter(value, type);
  if (type === Number) return value.trim() === '' ? initial() : Number(value);
  return value === '' && typeof initial() === 'string' ? initial() : value;
}
