// The check of Markdown finds what a reader would stumble over, and leaves the rest alone.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anchorsOf, deadLinks, lintTexts } from '../../tools/check-markdown.mjs';

describe('the check of Markdown', () => {
  for (const [what, text, rule] of [
    ['a cell too many', '# A\n\n| a | b |\n| - | - |\n| 1 | 2 | 3 |\n', 'MD056'],
    ['a skipped heading', '# A\n\n### B\n', 'MD001'],
    ['an image without words', '# A\n\n![](a.png)\n', 'MD045'],
    ['code of no language', '# A\n\n```\na\n```\n', 'MD040'],
    ['a link without a target', '# A\n\n[b]()\n', 'MD042'],
    ['a link that says nothing', '# A\n\n[here](b.md)\n', 'MD059'],
    ['a list without an empty line before', '# A\n\nb\n1. c\n', 'MD032'],
  ])
    it(`finds ${what}`, async () => {
      const lines = await lintTexts([['a.md', text]]);
      assert.ok(lines.length === 1 && lines[0].includes(rule), lines.join('\n'));
    });

  it('leaves long lines and any mark of a list alone', async () => {
    assert.deepEqual(await lintTexts([['a.md', `# A\n\n${'word '.repeat(60)}end\n\n* one\n* two\n`]]), []);
  });

  it('names headings as GitHub does', () => {
    const text = '# A `b`\n\n## C, d\n\n```md\n# no heading\n```\n\n## C, d\n\n## [E](f.md)\n';
    assert.deepEqual(anchorsOf(text), ['a-b', 'c-d', 'c-d-1', 'e']);
  });

  it('finds links to files and headings that do not exist', () => {
    const files = { 'docs/b.md': '# B\n\n## There\n', LICENSE: '' };
    const read = (file) => files[file] ?? null;
    const repository = 'https://github.com/x/y';
    const text = [
      '# A\n[1](b.md) [2](b.md#there) [3](../LICENSE) [4](#a) [5](https://example.org/none)',
      `[6](${repository}/blob/main/docs/b.md#there)`,
      '`[code](none.md)` [7](none.md) [8](b.md#gone) [9](#gone)',
      `[10](${repository}/blob/main/docs/none.md)`,
    ].join('\n');
    assert.deepEqual(deadLinks('docs/a.md', text, read, repository), [
      'none.md',
      'b.md#gone',
      '#gone',
      `${repository}/blob/main/docs/none.md`,
    ]);
  });
});
