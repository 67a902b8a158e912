/** Dictionaries by language. English is built in. Others register themselves when imported. */
import { FoveolaError } from '../../src/index.ts';
import { shown } from '../../src/internal.ts';
import { en, type Strings as Dictionary } from './en.ts';
import type { later as laterEnglish } from './later.en.ts';

// Formats numbers for the screen: the decimal sign and digits of the language, without a thousands separator, which
// is a decimal sign in other languages. Exports always use a decimal point.

export type NumberFormat = (value: number, digits?: number) => string;

const formats = new Map<string, NumberFormat>();

/** Number format of a language tag. If the browser does not know the tag, English is used. */
function numberFormat(language: string): NumberFormat {
  let format = formats.get(language);
  if (!format) formats.set(language, (format = make(language)));
  return format;
}

function make(language: string): NumberFormat {
  const byDigits: Intl.NumberFormat[] = [];
  const open = (tag: string, digits: number) =>
    new Intl.NumberFormat(tag, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      useGrouping: false,
      numberingSystem: 'latn',
    });
  const of = (digits: number) => {
    try {
      return open(language, digits);
    } catch {
      return open('en', digits);
    }
  };
  return (value, digits = 0) => (byDigits[digits] ??= of(digits)).format(value);
}

// Checks the strings that a page adds: each must have the type of the English one. Missing strings are in English.

type Words = Record<string, unknown>;

/** All English strings. In a CDN script, only the strings needed before the tools have loaded. */
let english: Dictionary = en;
let complete = 'keys' in en;

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
 * Returns the strings themselves if none is missing.
 * @throws {FoveolaError} 'invalid-argument'
 */
function checkedWords<T extends object>(english: T, given: unknown, path = 'strings'): T {
  if (typeof given !== 'object' || given === null) return refuse(path, 'object', given);
  const all: Words = {};
  let whole = true;
  for (const name of new Set([...Object.keys(english), ...Object.keys(given)])) {
    const at = `${path}.${name}`;
    const own = readIn(given, name, at);
    const usual = (english as Words)[name];
    if (own === undefined) all[name] = usual;
    else if (usual === undefined) {
      // Other languages have more names and effects of parameters. `element.strings`, when passed back, has a number
      // formatter.
      if (complete && typeof own !== 'string' && typeof own !== 'object' && at !== 'strings.number')
        refuse(at, 'string', own);
      all[name] = own;
    } else if (typeof usual === 'object') all[name] = checkedWords(usual as object, own, at);
    else if (typeof own !== typeof usual) refuse(at, typeof usual, own);
    else all[name] = own;
    whole &&= all[name] === own;
  }
  return (whole ? given : all) as T;
}

export type { Dictionary };

/** Strings of a language, with the number format that an element needs. */
export interface Strings extends Dictionary {
  /** Language of the strings. It may be English on a page in another language. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** Formats a number with this many decimals and the decimal sign of the page's language. */
  readonly number: NumberFormat;
}

const dictionaries = new Map<string, Dictionary>([['en', en]]);
/** Unchanged strings of the caller. */
const added = new Map<string, unknown>();
const later = new Map<string, () => Promise<Dictionary>>();
const made = new Map<string, Strings>();
const waiting = new Set<() => void>();

/** Languages written from right to left. */
const rightToLeft = /^(ar|arc|ckb|dv|fa|he|iw|ks|ku-arab|nqo|ps|sd|syr|ug|ur|yi)(-|$)/;

/**
 * Adds or replaces a language. Elements on the page use it at once. Missing strings are in English.
 * @throws {FoveolaError} 'invalid-argument'
 */
export function addStrings(language: string, strings: Dictionary): void {
  if (typeof language !== 'string')
    throw new FoveolaError('invalid-argument', `addStrings: the language must be a text, not ${shown(language)}.`);
  dictionaries.set(language.toLowerCase(), checkedWords(english, strings));
  added.set(language.toLowerCase(), strings);
  showAgain();
}

function showAgain(): void {
  made.clear();
  for (const update of waiting) update();
}

/** Adds the rest of the English strings. Invalid strings that a page added earlier are reported now. */
export function addEnglish(rest: typeof laterEnglish): void {
  if (complete) return;
  complete = true;
  english = { ...en, ...rest };
  dictionaries.set('en', english);
  for (const [language, strings] of added)
    try {
      dictionaries.set(language, checkedWords(english, strings));
    } catch (error) {
      dictionaries.set(language, english);
      reportError(error);
    }
  showAgain();
}

/**
 * Adds a language whose strings load when the first element uses it. Until then, or if loading fails, English is used.
 */
export function addLater(language: string, load: () => Promise<Dictionary>): void {
  later.set(language, load);
}

function loadLater(language: string): void {
  const load = later.get(language);
  later.delete(language);
  if (!dictionaries.has(language)) load?.().then((words) => addStrings(language, words), reportError);
}

/** Strings for 'de-CH': falls back to 'de', then English. Numbers use the format of 'de-CH'. */
export function stringsFor(language: string): Strings {
  const tag = language.toLowerCase();
  let strings = made.get(tag);
  if (!strings) {
    loadLater(tag.split('-')[0]!);
    const known = [tag, tag.split('-')[0]!].find((name) => dictionaries.has(name)) ?? 'en';
    const direction = rightToLeft.test(known) ? 'rtl' : 'ltr';
    strings = { ...dictionaries.get(known)!, language: known, direction, number: numberFormat(tag) };
    made.set(tag, strings);
  }
  return strings;
}

/** Calls back when a language is added. Returns a function that stops it. */
export function onStrings(update: () => void): () => void {
  waiting.add(update);
  return () => waiting.delete(update);
}
