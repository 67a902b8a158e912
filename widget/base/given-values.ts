/** Validates and converts what a page passes to an element: property values and arguments of methods. */
import { FoveolaError } from '../../src/index.ts';
import { shown } from '../../src/internal.ts';
import { LitElement, type PropertyDeclaration, type PropertyValues } from 'lit';

// Frameworks set properties with values meant for attributes. React, Vue, Svelte and Preact set the property `eyes`
// for `eyes="2"` in a template, and unset it with undefined, null or ''. Such values are converted to what the
// attribute would produce. Values that no attribute could produce become NaN, or are rejected if text is expected,
// before any code reads them.

// Validates values from a page. A page may pass anything to a method. Values that make the language itself throw (a
// symbol, an object without text, null for options) are rejected like all other invalid arguments.

/** A symbol, or an object that cannot be converted to text. */
function textless(value: unknown): boolean {
  try {
    return !`${value as string}` && false; // used, so that minifiers keep it
  } catch {
    return true;
  }
}

const odd = (value: unknown): boolean =>
  value === null ||
  typeof value === 'bigint' ||
  textless(value) ||
  Object.values(Object(value) as object).some(textless);

/** Wraps the class's own methods to validate arguments as described above. Call it before Lit finalizes the class. */
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
  if (value === false) return initial(); // the attribute is absent
  if (value === true) value = ''; // the attribute is present without a value
  if (typeof value !== 'string') return type !== Number || typeof value === 'number' ? value : NaN;
  if (typeof converter === 'function') return converter(value, type);
  if (type === Number) return value.trim() === '' ? initial() : Number(value);
  return value === '' && typeof initial() === 'string' ? initial() : value;
}

/**
 * Settings are read when they are set. If reading throws, they are rejected. Later changes to the object have no
 * effect.
 */
const asItIsNow = new Set<PropertyKey>(['settings', 'comparisonSettings']);
const isPlain = (value: object): boolean =>
  Object.values(Object.getOwnPropertyDescriptors(value)).every((one) => 'value' in one);

/** An unmodified instance of each class. It is never inserted into a page. */
const untouched = new WeakMap<object, LitElement>();

/** Errors of rejected property values by property name, until another value is set. */
export type Refused = Map<PropertyKey, FoveolaError>;

/** Converts the new values of changed properties to their intended meaning. */
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
      value = ''; // not its default, so that setting the default is a change
    }
    if (!Object.is(value, own[name])) own[name] = value;
  }
}
