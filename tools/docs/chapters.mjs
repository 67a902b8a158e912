// The pages of the site in the order in which one reads them. What lies in docs/ and is not named here is an error.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../setup.mjs';

/** Chapters of the menu: files of the repository. */
const chapters = [
  ['Guide', ['docs/index.md', 'docs/start.md', 'docs/overview.md', 'docs/recipes.md', 'docs/embedding.md', 'docs/frameworks.md', 'docs/node.md', 'docs/queue.md', 'docs/fast-calls.md', 'docs/calibration.md', 'docs/image-files.md', 'docs/models.md', 'docs/reliability.md']], // prettier-ignore
  ['Tests of the pupil', ['docs/pupil-methods.md', 'docs/running-tests.md', 'docs/pupil-tests.md']],
  ['Recordings and records', ['docs/player.md', 'docs/kept-recordings.md', 'docs/reports.md', 'docs/retinal-measures.md']], // prettier-ignore
  ['Figures', ['docs/accuracy.md', 'docs/performance.md', 'docs/benchmark.md']],
  ['Project', ['docs/architecture.md', 'docs/development.md', 'docs/roadmap.md', 'CHANGELOG.md', 'docs/changes.md', 'docs/mediabunny-report.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md']], // prettier-ignore
];

const titleOf = (file) => /^# (.*)$/m.exec(readFileSync(path.join(root, file), 'utf8'))[1].replaceAll('`', '');
const addressOf = (file) => `${path.posix.relative('docs', file).replace(/^\.\.\//, '').toLowerCase().replace(/\.md$/, '')}.html`; // prettier-ignore

/** [{ title, pages: [{ file, title, url }] }] of the texts; those of elements, operations and the API come from elsewhere. */
export function readChapters() {
  const known = new Set(chapters.flatMap(([, files]) => files));
  const lost = readdirSync(path.join(root, 'docs')).filter(
    (name) => name.endsWith('.md') && !known.has(`docs/${name}`),
  );
  if (lost.length) throw new Error(`tools/docs/chapters.mjs names no place for docs/${lost.join(', docs/')}.`);
  return chapters.map(([title, files]) => ({
    title,
    pages: files.map((file) => ({
      file,
      title: file === 'docs/index.md' ? 'Start' : titleOf(file),
      url: addressOf(file),
    })),
  }));
}
