// Markdown that would be shown otherwise than it was meant: broken tables and lists, skipped headings, images without words,
// links that say nothing, and links to files or headings that do not exist.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { lint } from 'markdownlint/promise';
import { slugOf } from './docs/html.mjs';
import { root } from './setup.mjs';

/** Rules whose breach a reader sees; style that prettier or nobody sees is left out (line length, markers of lists). */
const rules = [
  ...['MD001', 'MD018', 'MD019', 'MD020', 'MD021', 'MD022', 'MD023', 'MD025', 'MD041'], // headings
  ...['MD011', 'MD034', 'MD039', 'MD042', 'MD051', 'MD052', 'MD053', 'MD054', 'MD059'], // links
  ...['MD005', 'MD007', 'MD030', 'MD032'], // lists
  ...['MD031', 'MD038', 'MD040', 'MD045', 'MD046', 'MD047', 'MD055', 'MD056', 'MD058'], // code, images, tables
];
const config = { default: false, ...Object.fromEntries(rules.map((rule) => [rule, true])) };

/** Headings as GitHub names them; equal ones are numbered. */
export function anchorsOf(text) {
  const seen = new Map();
  return Array.from(text.replace(/^```[^]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm), ([, title]) => {
    const slug = slugOf(title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', ''));
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count ? `${slug}-${count}` : slug;
  });
}

/** Links of a page to files of the repository that lead nowhere; read(file) is a text, or null. */
export function deadLinks(file, text, read, repository) {
  const here = `${repository}/blob/main/`;
  const outside = text.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '').replace(/<!--[^]*?-->/g, ''); // prettier-ignore
  return Array.from(outside.matchAll(/\]\(([^()\s]+)\)/g), ([, link]) => link).filter((link) => {
    const ours = link.startsWith(here) ? `/${link.slice(here.length)}` : link;
    if (/^[a-z]+:/.test(ours)) return false; // nothing is fetched
    const [name, anchor] = ours.split('#');
    const place = name.startsWith('/') ? name.slice(1) : path.posix.join(path.posix.dirname(file), name);
    const target = name ? place : file;
    const found = name ? read(target) : text;
    if (found === null) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(found).includes(decodeURIComponent(anchor));
  });
}

/** Faults of texts, each [name, text], as lines. */
export async function lintTexts(texts) {
  const results = await lint({ strings: Object.fromEntries(texts), config });
  return Object.entries(results).flatMap(([file, faults]) =>
    faults.map(({ lineNumber, ruleNames, ruleDescription, errorDetail, errorContext }) =>
      [`${file}:${lineNumber}: ${ruleDescription} (${ruleNames[0]})`, errorDetail, errorContext]
        .filter(Boolean)
        .join(': '),
    ),
  );
}

const leftAlone = /^(lab\/results|test\/media|models)\//;

async function check() {
  const { repository } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const url = repository.url.replace(/^git\+|\.git$/g, '');
  const read = (file) => {
    const at = path.join(root, file);
    if (!existsSync(at)) return null;
    return file.endsWith('.md') ? readFileSync(at, 'utf8') : '';
  };
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  });
  const texts = listed.split('\n').filter((file) => file && !leftAlone.test(file) && existsSync(path.join(root, file))).map((file) => [file, read(file)]); // prettier-ignore
  const dead = texts.flatMap(([file, text]) => deadLinks(file, text, read, url).map((link) => `${file}: no such place: ${link}`)); // prettier-ignore
  return { lines: [...(await lintTexts(texts)), ...dead], pages: texts.length };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { lines, pages } = await check();
  console.log(lines.length ? lines.join('\n') : `${pages} pages`);
  if (lines.length) process.exitCode = 1;
}
