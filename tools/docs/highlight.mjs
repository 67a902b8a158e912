// Colors of code, made with the page: comments, strings, tags, keywords and numbers get a class. Unknown languages stay plain.
import { escaped } from './html.mjs';

const strings = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|` + '`(?:[^`\\\\]|\\\\.)*`';
const keywords =
  'import|export|from|const|let|new|await|async|function|return|if|else|for|of|in|true|false|null|default|class|throw|try|catch';
const script = `(?<comment>//[^\\n]*|/\\*[^]*?\\*/)|(?<string>${strings})|(?<keyword>\\b(?:${keywords})\\b)|(?<number>\\b\\d[\\w.]*)`;
const markup = '(?<comment><!--[^]*?-->)|(?<markup></?[\\w-]+|/?>)|(?<string>"[^"\\n]*")';
const shell =
  '(?<comment>(?<=^|\\s)#[^\\n]*)|(?<string>"[^"\\n]*"|\'[^\'\\n]*\')|(?<keyword>(?<=\\s)--?[a-zA-Z][\\w-]*)';
const languages = {
  ...{ js: script, ts: script, jsx: script, tsx: script, json: script, mjs: script },
  ...{ html: `${markup}|(?<keyword>\\b(?:${keywords})\\b)`, vue: markup, svelte: markup, xml: markup },
  ...{ sh: shell, bash: shell },
};

/** Code as markup, or '' for a language without rules. */
export function highlighted(code, language) {
  if (!Object.hasOwn(languages, language)) return '';
  let [out, end] = ['', 0];
  for (const { index, 0: text, groups } of code.matchAll(new RegExp(languages[language], 'g'))) {
    const [kind] = Object.entries(groups).find(([, found]) => found !== undefined);
    out += `${escaped(code.slice(end, index))}<span class="${kind}">${escaped(text)}</span>`;
    end = index + text.length;
  }
  return out + escaped(code.slice(end));
}
