/** Strings of the files loaded with the player, in the language of the element. */
import type { Strings } from '../../strings/index.ts';
import { words as german } from './player.de.ts';
import { words as english, type PlayerWords } from './player.en.ts';

const languages: Readonly<Record<string, PlayerWords>> = { en: english, de: german };

export const wordsFor = ({ language }: Strings): PlayerWords =>
  languages[language.toLowerCase().split('-')[0]!] ?? english;
