/**
 * Frameworks give to properties what HTML gives to attributes: React, Vue, Svelte and Preact set the property `eyes` where
 * a template says `eyes="2"`, and unset one by undefined, null or ''. What the attribute would give is meant. What no
 * attribute could give is no number, or is refused where a text is meant, before anybody reads it.
 */
import { LitElement, type PropertyDeclaration, type PropertyValues } from 'lit';
import { FoveolaError, shown } from '../../src/index.ts';

// The border between a page and an element. A page may give anything to a method: what the language itself stumbles over (a
// symbol, an object without text, null for options) is refused as all other wrong arguments are.

/** A symbol, or an object that says no text of itself. */
function textless(value: unknown): boolean {
  try {
    return !`${value as string}` && false; // used, so that no minifier leaves it out
  } catch {
    return true;
  }
}

const odd = (value: unknown): boolean =>
  value === null ||
  typeof value === 'bigint' ||
  textless(value) ||
  Object.values(Object(value) as object).some(textless);

/** To be called before the class is finalized by Lit: the methods of its own answer as said above. */
export function guard(element: { readonly prototype: LitElement }): void {
  if (Object.hasOwn(element, 'finalized')) return;
  const own = element.prototype as unknown as Record<string, unknown>;
  for (const [name, { value: method }] of Object.entries(Object.getOwnPropertyDescriptors(own))) {
    if (typeof method !== 'function' || name in LitElement.prototype) continue;
    own[name] = function (this: unknown, ...given: unknown[]): unknown {
      const refuse = (cause: unknown): never => {
        const wrong = cause instanceof TypeError ? given.findIndex(odd) : -1;
        if (wrong < 0) throw cause;
        throw new FoveolaError(
          'invalid-argument',
          `${name}: argument ${wrong + 1} must be a text, a number or an object, not ${shown(given[wrong])}.`,
          { cause },
        );
      };
      try {
        const answer: unknown = method.apply(this, given);
        return answer instanceof Promise ? answer.catch(refuse) : answer;
      } catch (error) {
        return refuse(error);
      }
    };
  }
}

function givenValue(value: unknown, declaration: PropertyDeclaration, initial: () => unknown): unknown {
  const { type, attribute, converter } = declaration;
  if (value === undefined || value === null) return initial();
  if (attribute === false) return value;
  if (type === Boolean) return !!value;
  if (value === false) return initial(); // it is not there
  if (value === true) value = ''; // the attribute is there, without a value
  if (typeof value !== 'string') return type !== Number || typeof value === 'number' ? value : NaN;
  if (typeof converter === 'function') return converter(value, type);
  if (type === Number) return value.trim() === '' ? initial() : Number(value);
  return value === '' && typeof initial() === 'string' ? initial() : value;
}

/** Settings are read when they are given: what throws when it is read is refused, and what changes later does not count. */
const asItIsNow = new Set<PropertyKey>(['settings', 'settingsB']);
const isPlain = (value: object): boolean =>
  Object.values(Object.getOwnPropertyDescriptors(value)).every((one) => 'value' in one);

/** An element of each class as it is at first; it never comes into a page. */
const untouched = new WeakMap<object, LitElement>();

/** Why what was given to a property was not taken, by its name, as long as nothing else is given. */
export type Refused = Map<PropertyKey, FoveolaError>;

/** What was given to the properties that have changed becomes what is meant by it. */
export function takeGiven(element: LitElement, changed: PropertyValues, refused: Refused): void {
  const made = element.constructor as typeof LitElement & (new () => LitElement);
  const own = element as unknown as Record<PropertyKey, unknown>;
  const initial = (name: PropertyKey) => {
    if (!untouched.has(made)) untouched.set(made, new made());
    return (untouched.get(made) as unknown as typeof own)[name];
  };
  for (const name of changed.keys()) {
    const declaration = made.elementProperties.get(name);
    if (!declaration || declaration.state) continue;
    let value = givenValue(own[name], declaration, () => initial(name));
    refused.delete(name);
    if (asItIsNow.has(name) && value instanceof Object)
      try {
        value = own[name] === value && isPlain(value) ? value : { ...value };
      } catch (cause) {
        const text = `${name as string}: a value cannot be read. Use numbers, texts or boxes.`;
        refused.set(name, new FoveolaError('invalid-argument', text, { cause }));
        value = {};
      }
    if (declaration.attribute !== false && typeof declaration.converter !== 'function' && textless(value)) {
      refused.set(name, new FoveolaError('invalid-argument', `${name as string} must be a text, not ${shown(value)}.`));
      value = ''; // not its default, so that giving that is a change
    }
    if (!Object.is(value, own[name])) own[name] = value;
  }
}
