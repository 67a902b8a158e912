/** The words that a page gives: each of the kind that the English one is. What is missing is English. */
import { FoveolaError, shown } from '../../src/index.ts';

type Words = Record<string, unknown>;

const kinds: Readonly<Record<string, string>> = { string: 'a text', function: 'a function', object: 'an object' };

const refuse = (path: string, kind: string, value: unknown): never => {
  throw new FoveolaError('invalid-argument', `addStrings: ${path} must be ${kinds[kind]}, not ${shown(value)}.`);
};

function readIn(words: object, name: string, path: string): unknown {
  try {
    return (words as Words)[name];
  } catch (cause) {
    throw new FoveolaError('invalid-argument', `addStrings: ${path} cannot be read.`, { cause });
  }
}

/**
 * The words themselves where none is missing.
 * @throws {FoveolaError} 'invalid-argument'
 */
export function checkedWords<T extends object>(english: T, given: unknown, path = 'strings'): T {
  if (typeof given !== 'object' || given === null) return refuse(path, 'object', given);
  const all: Words = {};
  let whole = true;
  for (const name of new Set([...Object.keys(english), ...Object.keys(given)])) {
    const at = `${path}.${name}`;
    const own = readIn(given, name, at);
    const usual = (english as Words)[name];
    if (own === undefined) all[name] = usual;
    else if (usual === undefined) {
      // Names and effects of parameters have more in other languages; `element.strings`, given back, writes numbers.
      if (typeof own !== 'string' && typeof own !== 'object' && at !== 'strings.number') refuse(at, 'string', own);
      all[name] = own;
    } else if (typeof usual === 'object') all[name] = checkedWords(usual as object, own, at);
    else if (typeof own !== typeof usual) refuse(at, typeof usual, own);
    else all[name] = own;
    whole &&= all[name] === own;
  }
  return (whole ? given : all) as T;
}
