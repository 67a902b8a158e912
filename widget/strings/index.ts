/** The dictionaries by language. English is always there; others register themselves when they are imported. */
import { en, type Strings } from './en.ts';

export type { Strings };

const dictionaries = new Map<string, Strings>([['en', en]]);
const waiting = new Set<() => void>();

/** Adds or replaces a language; elements that are on the page show it at once. */
export function addStrings(language: string, strings: Strings): void {
  dictionaries.set(language.toLowerCase(), strings);
  for (const update of waiting) update();
}

/** The words for 'de-CH': of that, else of 'de', else English. */
export function stringsFor(language: string): Strings {
  const tag = language.toLowerCase();
  return dictionaries.get(tag) ?? dictionaries.get(tag.split('-')[0]!) ?? en;
}

/** Calls back when a language is added; returns how to stop that. */
export function onStrings(update: () => void): () => void {
  waiting.add(update);
  return () => waiting.delete(update);
}
