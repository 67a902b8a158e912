/** The words that a page gives: each of the kind that the English one is. What is missing is English. */
import { FoveolaError, shown } from '../../src/index.ts';

type Words = Record<string, unknown>;

const kinds: Readonly<Record<string, string>> = { string: 'a text', function: 'a function', object: 'an object' };

const refuse = (path: string, kind: string, value: unknown): never => {
  throw new FoveolaError('invalid-argument', `addStrings: ${path} must be ${kinds[kind]}, not ${shown(value)}.`);
};

/** Words that are made of numbers and names; where that fails they are English, since an element cannot do without. */
const made =
  (own: (...given: unknown[]) => unknown, english: (...given: unknown[]) => unknown) =>
  (...given: unknown[]): unknown => {
    try {
      const text = own(...given);
      if (typeof text === 'string') return text;
    } catch {
      // a mistake in one text leaves the others as they are
    }
    return english(...given);
  };

function readIn(words: object, name: string, path: string): unknown {
  try {
    return (words as Words)[name];
  } catch (cause) {
    throw new FoveolaError('invalid-argument', `addStrings: ${path} cannot be read.`, { cause });
  }
}

/** @throws {FoveolaError} 'invalid-argument' */
export function checkedWords<T extends object>(english: T, given: unknown, path = 'strings'): T {
  if (typeof given !== 'object' || given === null) return refuse(path, 'object', given);
  const names = new Set([...Object.keys(english), ...Object.keys(given)]);
  const all: Words = {};
  for (const name of names) {
    const own = readIn(given, name, `${path}.${name}`);
    const usual = (english as Words)[name];
    if (own === undefined || usual === undefined) {
      // Names and effects of parameters have more in other languages.
      if (own !== undefined && typeof own !== 'string' && typeof own !== 'object')
        refuse(`${path}.${name}`, 'string', own);
      all[name] = own ?? usual;
    } else if (typeof usual === 'object') all[name] = checkedWords(usual as object, own, `${path}.${name}`);
    else if (typeof own !== typeof usual) refuse(`${path}.${name}`, typeof usual, own);
    else all[name] = typeof usual === 'function' ? made(own as never, usual as never) : own;
  }
  return all as T;
}
