/**
 * Frameworks give to properties what HTML gives to attributes: React, Vue, Svelte and Preact set the property `eyes` where
 * a template says `eyes="2"`, and unset one by undefined, null or ''. What the attribute would give is meant.
 */
import type { LitElement, PropertyDeclaration, PropertyValues } from 'lit';

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

/** An element of each class as it is at first; it never comes into a page. */
const untouched = new WeakMap<object, LitElement>();

/** What was given to the properties that have changed becomes what is meant by it. */
export function takeGiven(element: LitElement, changed: PropertyValues): void {
  const made = element.constructor as typeof LitElement & (new () => LitElement);
  const own = element as unknown as Record<PropertyKey, unknown>;
  const initial = (name: PropertyKey) => {
    if (!untouched.has(made)) untouched.set(made, new made());
    return (untouched.get(made) as unknown as typeof own)[name];
  };
  for (const name of changed.keys()) {
    const declaration = made.elementProperties.get(name);
    if (!declaration || declaration.state) continue;
    const value = givenValue(own[name], declaration, () => initial(name));
    if (!Object.is(value, own[name])) own[name] = value;
  }
}
