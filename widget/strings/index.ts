/** The dictionaries by language. English is always there; others register themselves when they are imported. */
import { FoveolaError, shown } from '../../src/index.ts';
import { checkedWords } from './checked.ts';
import { en, type Strings as Dictionary } from './en.ts';
import { numberFormat, type NumberFormat } from './numbers.ts';

export type { Dictionary };

/** The words of a language with what an element needs to write numbers between them. */
export interface Strings extends Dictionary {
  /** Of the words: they may be English on a page in another language. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** With so many digits behind the decimal sign, which is that of the page's language. */
  readonly number: NumberFormat;
}

const dictionaries = new Map<string, Dictionary>([['en', en]]);
const later = new Map<string, () => Promise<Dictionary>>();
const made = new Map<string, Strings>();
const waiting = new Set<() => void>();

/** Languages that are written from right to left. */
const rightToLeft = /^(ar|arc|ckb|dv|fa|he|iw|ks|ku-arab|nqo|ps|sd|syr|ug|ur|yi)(-|$)/;

/**
 * Adds or replaces a language; elements that are on the page show it at once. Words that are left out are English.
 * @throws {FoveolaError} 'invalid-argument'
 */
export function addStrings(language: string, strings: Dictionary): void {
  if (typeof language !== 'string')
    throw new FoveolaError('invalid-argument', `addStrings: the language must be a text, not ${shown(language)}.`);
  dictionaries.set(language.toLowerCase(), checkedWords(en, strings));
  made.clear();
  for (const update of waiting) update();
}

/** A language whose words are loaded when the first element is in it; until then, and where that fails, it is English. */
export function addLater(language: string, load: () => Promise<Dictionary>): void {
  later.set(language, load);
}

function loadLater(language: string): void {
  const load = later.get(language);
  later.delete(language);
  if (!dictionaries.has(language)) load?.().then((words) => addStrings(language, words), reportError);
}

/** The words for 'de-CH': of that, else of 'de', else English; numbers as in 'de-CH'. */
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

/** Calls back when a language is added; returns how to stop that. */
export function onStrings(update: () => void): () => void {
  waiting.add(update);
  return () => waiting.delete(update);
}
