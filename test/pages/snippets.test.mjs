// Every snippet of README and docs, run as it stands: as a page, as a module, as a policy, as a test. What each needs and must
// come to is said in test/support/snippet-cases.mjs; commands are looked up by test/infrastructure/snippets.test.mjs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../tools/serve.mjs';
import { itInFull, itKept } from '../support/full.mjs';
import { cases } from '../support/snippet-cases.mjs';
import { kinds } from '../support/snippet-kinds.mjs';
import { startSnippetSite } from '../support/snippet-site.mjs';
import { blocks, runElsewhere, notRun, placeOf } from '../support/snippets.mjs';

const hashes = JSON.parse(readFileSync(path.join(root, 'dist/sri.json'), 'utf8'));
/** The pages whose snippets run each time. test/infrastructure/snippet-types.test.mjs compiles the snippets of all pages. */
const mainPages = ['README.md', 'docs/first-pupil.md', 'docs/node.md'];

/** As it stands; where the comment before the block says so, with the hash of this build. */
const textOf = ({ text, mark }) => (mark ? text.replace('sha384-…', hashes['foveola.cdn.js']) : text);

describe('snippets of README and docs', () => {
  let snippets;
  before(async () => {
    snippets = await startSnippetSite();
  });
  after(() => snippets?.close());

  const counts = {};
  for (const block of blocks) {
    if (notRun(block) || runElsewhere(block) || ['sh', 'text'].includes(block.language)) continue;
    const place = placeOf(block);
    const index = (counts[place] = (counts[place] ?? -1) + 1);
    const what = cases[place]?.[index];
    itKept(mainPages.includes(block.file))(`${place}, ${block.language} (line ${block.line})`, async () => {
      assert.equal(what?.as, block.language, 'no case in test/support/snippet-cases.mjs');
      const text = textOf(block);
      if (what.kind) return kinds[what.kind](text, what, snippets);
      if (what.as === 'html') return void (await (await snippets.html(text, what)).page.close());
      return what.judge(await snippets.module(text, what));
    });
  }

  describe('that are broken fail', () => {
    const [page] = cases['README.md: In a page'];
    const html = blocks.find((block) => placeOf(block) === 'README.md: In a page').text;
    const fails = (call, message) =>
      assert.rejects(call, ({ message: text }) => message.test(text) || assert.fail(text));

    it('an unknown identifier', () => fails(snippets.module('missing();', {}), /missing is not defined/));
    itInFull('an unknown export', () =>
      fails(snippets.module("import { missing } from 'foveola';\nmissing();", {}), /'missing'/),
    );
    itInFull('an unknown module', () => fails(snippets.module("import 'foveola/missing';", {}), /foveola\/missing/));
    itInFull('an error on the console', () => fails(snippets.module("console.error('wrong');", {}), /console: wrong/));
    itInFull('a promise that nobody waits for', () =>
      fails(
        snippets.module("Promise.reject(new Error('lost'));", { result: () => new Promise((r) => setTimeout(r, 50)) }),
        /lost/,
      ),
    );
    itInFull('a script that is not there', () =>
      fails(snippets.html(html.replace('foveola.cdn.js', 'missing.js'), { ...page, wait: 2000 }), /404/),
    );
    itInFull('a recording that is not there', () =>
      fails(snippets.html(html.replace('recording.webm', 'missing.webm'), { ...page, wait: 2000 }), /404/),
    );
    itInFull('a tag that no script defines', () =>
      fails(
        snippets.html(html.replaceAll('foveola-pupil', 'foveola-nothing'), { ...page, wait: 2000 }),
        /Waiting failed/,
      ),
    );
    itInFull('a hash that is wrong', () => {
      const block = blocks.find(({ mark }) => mark?.startsWith('the hash'));
      const text = block.text.replace('sha384-…', hashes['worker.js']);
      const [, pinned] = cases[placeOf(block)];
      return fails(snippets.html(text, { ...pinned, wait: 2000 }), /integrity/);
    });
    itInFull('a policy without WebAssembly', () => {
      const { text } = blocks.find(({ language }) => language === 'csp');
      return fails(kinds.policy(text.replace("'wasm-unsafe-eval'", ''), { wait: 3000 }, snippets), /wasm-blocked/);
    });
    itInFull('a frame without the camera', () => {
      const { text } = blocks.find(({ text: code }) => code.includes('<iframe'));
      return fails(kinds.frame(text.replace(' allow="camera"', ''), {}, snippets), /camera-blocked-by-policy/);
    });
  });
});
