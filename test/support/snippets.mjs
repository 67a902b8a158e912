// The fenced blocks of README.md, lab/README.md and docs/*.md, as a reader would copy them.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../tools/serve.mjs';

/** All pages, relative to the root. */
export const pages = [
  'README.md',
  'lab/README.md',
  ...['docs', 'docs/operations'].flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => `${folder}/${name}`),
  ),
];

const fence = /^```(\S*)\s*(.*)$/;
const mark = /^<!-- snippet: (.*?) -->$/;

/**
 * @returns { blocks, indented }
 *   blocks: { file, line, heading, language, text, mark } in their order; mark: what the comment before the block says
 *   indented: 'file:line' of code that is indented instead of fenced, which no test would see
 */
export function extract(file, markdown) {
  const lines = markdown.split('\n');
  const blocks = [];
  const indented = [];
  let heading = '';
  let noted = null;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    const opened = fence.exec(line);
    if (opened) {
      const end = lines.indexOf('```', i + 1);
      if (end < 0) throw new Error(`${file}:${i + 1}: the block has no end`);
      const text = `${lines.slice(i + 1, end).join('\n')}\n`;
      blocks.push({ file, line: i + 1, heading, language: opened[1], text, mark: noted });
      noted = null;
      i = end;
    } else if (/^#+ /.test(line)) heading = line.replace(/^#+ /, '');
    else if (mark.test(line)) noted = mark.exec(line)[1];
    else if (/^ {4}\S/.test(line) && lines[i - 1] === '') indented.push(`${file}:${i + 1}`);
    if (line !== '' && !opened && !mark.test(line)) noted = null;
  }
  return { blocks, indented };
}

const all = pages.map((file) => extract(file, readFileSync(path.join(root, file), 'utf8')));
export const blocks = all.flatMap((one) => one.blocks);
export const indented = all.flatMap((one) => one.indented);

/** 'README.md: In a page' */
export const placeOf = ({ file, heading }) => `${file}: ${heading}`;

export const notRun = (block) => block.mark?.startsWith('not run, ') ?? false;

/**
 * test/infrastructure/types.test.mjs compiles the blocks about frameworks, test/pages/docs-site.test.mjs runs the examples of
 * operations (tools/docs/pictures.mjs), test/infrastructure/reference.test.mjs runs the examples of these pages, and
 * test/pages/lsl.test.mjs runs the tag that needs a bridge.
 */
export const referencePages = ['docs/engine.md', 'docs/trackers.md'];
export const runElsewhere = ({ file, language }) =>
  file === 'docs/lsl.md' ||
  (['docs/frameworks.md', 'docs/recipes.md'].includes(file) && ['ts', 'tsx', 'vue', 'svelte'].includes(language)) ||
  ((file.startsWith('docs/operations/') || referencePages.includes(file)) && language === 'js');

/** Commands of shell blocks and those that stand between backticks in the text: { file, command }. */
export function commands() {
  const found = blocks
    .filter(({ language, mark: note }) => language === 'sh' && !note)
    .flatMap(({ file, text }) =>
      text
        .split('\n')
        .map((line) => line.replace(/\s+#.*$/, '').trim())
        .filter(Boolean)
        .map((command) => ({ file, command })),
    );
  for (const file of pages) {
    const outside = readFileSync(path.join(root, file), 'utf8').replace(/^```[^]*?^```$/gm, '');
    for (const [, command] of outside.matchAll(/`((?:[A-Z_]+=\S+ )?(?:npm|npx) [^`]+)`/g))
      found.push({ file, command: command.replace(/\s+/g, ' ') });
  }
  return found;
}
