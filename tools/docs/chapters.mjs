// The pages of the site in reading order. A page of docs/ that is not named here is an error.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../setup.mjs';

const docs = (...names) => names.map((name) => `docs/${name}.md`);
/** Folders whose pages the menu names. */
const folders = ['docs', 'docs/decisions'];

/** Chapters of the menu, by what a reader wants (Diataxis): files of the repository. */
const chapters = [
  ['Tutorials', docs('index', 'first-pupil', 'light-reflex', 'fundus', 'recipes')],
  ['How-to guides', docs('embedding', 'frameworks', 'using-elements', 'recordings', 'player', 'run-pupil-tests', 'calibration', 'pupil-methods', 'fix-tracking', 'image-files', 'models', 'reports', 'crash-recovery', 'node', 'many-machines', 'lsl', 'speed-up', 'benchmark')], // prettier-ignore
  [
    'Reference',
    [
      ...docs(
        'overview',
        'engine',
        'trackers',
        'sources',
        'element-methods',
        'data-format',
        'errors',
        'browsers',
        'model-cards',
        'glossary',
        'changes',
      ),
      'CHANGELOG.md',
    ],
  ],
  ['Explanation', [...docs('accuracy', 'performance', 'pupil-measures', 'retinal-measures', 'reliability'), 'SECURITY.md']], // prettier-ignore
  ['Maintainers', [...docs('architecture', 'development', 'training', 'fuzz-and-soak', 'roadmap', 'mediabunny-report'), 'CONTRIBUTING.md', 'CODE_OF_CONDUCT.md']], // prettier-ignore
  ['Decisions', docs('decisions/001-own-image-parsers', 'decisions/002-patched-demuxer', 'decisions/003-face-search', 'decisions/004-landmark-starts', 'decisions/005-site-generator')], // prettier-ignore
];

const titleOf = (file) => /^# (.*)$/m.exec(readFileSync(path.join(root, file), 'utf8'))[1].replaceAll('`', '');
const addressOf = (file) => `${path.posix.relative('docs', file).replace(/^\.\.\//, '').toLowerCase().replace(/\.md$/, '')}.html`; // prettier-ignore

/** [{ title, pages: [{ file, title, url }] }] of the texts; those of elements, operations and the API come from elsewhere. */
export function readChapters() {
  const known = new Set(chapters.flatMap(([, files]) => files));
  const lost = folders
    .flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((file) => file.endsWith('.md') && !known.has(file));
  if (lost.length) throw new Error(`tools/docs/chapters.mjs names no place for ${lost.join(', ')}.`);
  return chapters.map(([title, files]) => ({
    title,
    pages: files.map((file) => ({
      file,
      title: file === 'docs/index.md' ? 'Start' : titleOf(file),
      url: addressOf(file),
    })),
  }));
}
