/**
 * The border between a page and an element. A page may give anything to a method: what the language itself stumbles over (a
 * symbol, an object without text, null for options) is refused as all other wrong arguments are.
 */
import { LitElement } from 'lit';
import { FoveolaError, shown } from '../../src/index.ts';

/** A symbol, or an object that says no text of itself. */
export function textless(value: unknown): boolean {
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
