// The site, demo and documentation, built once: links, anchors, policy, size, and that nothing which it should have is left out. That
// the examples of the operations run is part of building it.
// Full run only: to make the site takes half a minute of both cores.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { filesBelow } from '../../tools/fingerprint.mjs';
import { root } from '../../tools/setup.mjs';
import { benchBlocks, figureReader, staleFigures, withFigures } from '../../tools/docs/figures.mjs';
import { highlighted } from '../../tools/docs/highlight.mjs';
import { readElements } from '../../tools/docs/elements.mjs';
import { readOperations, readParameters } from '../../tools/docs/operations.mjs';
import { buildSite, firstPageBytes } from '../../tools/docs/site.mjs';
import { startSite } from '../support/pages.mjs';
import { serve } from '../../tools/serve.mjs';

/* global addEventListener, axe, DOMParser, getComputedStyle */

/** Calls of the engine that docs/engine.md describes. */
const elsewhere = ['landmarkFits', 'load', 'loadModels', 'vesselMeasures'];

describe('the documentation site', () => {
  let folder;
  let pages;
  let demos;
  const text = (name) => readFileSync(path.join(folder, name), 'utf8');
  const withoutCode = (page) => text(page).replace(/<pre\b[^]*?<\/pre>/g, '');
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'foveola-site-'));
    await buildSite(folder);
    const all = filesBelow(folder, ['.'], (name) => name.endsWith('.html')).map((name) => path.posix.normalize(name));
    pages = all.filter((name) => !name.startsWith('demo/'));
    demos = all.filter((name) => name.startsWith('demo/'));
  });
  after(() => folder && rmSync(folder, { recursive: true, force: true }));

  it('has a page for every text, element and operation', async () => {
    const texts = filesBelow(root, ['docs'], (name) => name.endsWith('.md'));
    const missing = texts
      .map((name) => path.posix.relative('docs', name).replace('.md', '.html'))
      .filter((name) => !pages.includes(name));
    assert.deepEqual(missing, []);
    for (const { url } of readElements()) assert.ok(pages.includes(url), url);
    const described = new Set(readOperations().map(({ operation }) => operation));
    const undescribed = [...(await readParameters()).keys()].filter(
      (name) => !described.has(name) && !elsewhere.includes(name),
    );
    assert.deepEqual(undescribed, [], 'operations without a page in docs/operations');
  });

  it('has no dead link', () => {
    const idsOf = new Map([...pages, ...demos].map((name) => [name, new Set(Array.from(text(name).matchAll(/ id="([^"]*)"/g), ([, id]) => id))])); // prettier-ignore
    const broken = [];
    let links = 0;
    for (const page of [...pages, ...demos]) {
      for (const [, link] of withoutCode(page).matchAll(/ (?:href|src)="([^"]*)"/g)) {
        if (/^[a-z]+:/.test(link)) continue; // nothing is fetched
        links++;
        const [file, anchor] = link.replaceAll('&amp;', '&').split('#');
        const target = file ? path.posix.join(path.posix.dirname(page), file) : page;
        if (!existsSync(path.join(folder, target))) broken.push(`${page}: ${link}`);
        else if (anchor && !idsOf.get(target)?.has(decodeURIComponent(anchor))) broken.push(`${page}: ${link}`);
      }
    }
    assert.ok(links > 3000, `${links}`);
    assert.deepEqual(broken, []);
  });

  it('names files of the repository that are there', () => {
    const broken = [...pages, ...demos].flatMap((page) =>
      Array.from(text(page).matchAll(/href="[^"]*\/blob\/main\/([^"#]*)/g), ([, file]) => file)
        .filter((file) => !existsSync(path.join(root, file)))
        .map((file) => `${page}: ${file}`),
    );
    assert.deepEqual(broken, []);
  });

  it('has ids that occur once', () => {
    for (const page of pages) {
      const ids = Array.from(text(page).matchAll(/ id="([^"]*)"/g), ([, id]) => id);
      assert.deepEqual(ids.filter((id, i) => ids.indexOf(id) !== i), [], page); // prettier-ignore
    }
  });

  it('has no inline script, style or handler, and a policy on each page', () => {
    for (const page of pages) {
      const markup = withoutCode(page);
      assert.doesNotMatch(markup, /<style|<[^>]+ (style|on\w+)=/i, page);
      assert.doesNotMatch(markup, /<script(?![^>]* src=)/i, page);
      assert.match(markup, /http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'/, page);
      assert.doesNotMatch(markup, /<(script|link|img)[^>]+(src|href)="https?:/, page);
    }
  });

  it('has a first page of at most 150 kB without media', async () => {
    const bytes = await firstPageBytes(folder);
    assert.ok(bytes > 10_000 && bytes <= 150_000, `${bytes}`);
    const named = Array.from(text('index.html').matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]*)"/g), ([, file]) => file); // prettier-ignore
    assert.deepEqual(named.sort(), ['favicon.svg', 'site.css', 'site.js'], 'firstPageBytes counts these');
  });

  it('shows parameters, figures and pictures, none of them typed', () => {
    const page = text('operations/canny.html');
    for (const part of ['<code>thresholds</code>', 'canny-after.webp', 'Canny, PAMI 8(6)', 'native OpenCV'])
      assert.ok(page.includes(part), part);
    const element = text('elements/pupil.html');
    for (const part of ['millimetres-per-pixel', 'foveola-result', '--foveola-ellipse', 'exportCsv'])
      assert.ok(element.includes(part), part);
    assert.match(text('api/foveola-functions.html'), /<h2 id="lightReflex">/);
    assert.match(text('engine.html'), /<code>createEngine\(options\?: EngineOptions\): Promise&lt;Engine&gt;<\/code>/);
    assert.match(page, /<code>canny\(\n {2}source: Source,/);
  });

  it('colors code, and leaves its text as it is', () => {
    assert.match(text('index.html'), /<span class="keyword">import<\/span> \{ createEngine \}/);
    assert.equal(
      highlighted('a < 1; // b', 'js'),
      'a &lt; <span class="number">1</span>; <span class="comment">// b</span>',
    );
    assert.equal(highlighted('a', 'text'), '');
  });

  it('can be searched for each page', () => {
    const sections = JSON.parse(/= (\[[^]*\]);/.exec(text('search-data.js'))[1]);
    const known = new Set(sections.map(({ url }) => url.split('#')[0]));
    assert.deepEqual(pages.filter((page) => !known.has(page)), []); // prettier-ignore
  });

  describe('in a browser, 390 pixels wide', () => {
    let site;
    const telephone = { width: 390, height: 844, hasTouch: true, isMobile: true };
    const open = (name, { viewport = telephone, bypass = false } = {}) =>
      site.open(`/site/${name}`, {
        before: async (page) => {
          await page.setViewport(viewport);
          await page.setBypassCSP(bypass);
          await page.evaluateOnNewDocument(() => {
            window.violations = [];
            addEventListener('securitypolicyviolation', (e) => window.violations.push(e.violatedDirective));
          });
        },
      });
    const violations = (page) => page.evaluate(() => window.violations);
    before(async () => (site = await startSite({ mounts: { '/site/': folder } })));
    after(() => site?.close());

    it('has no page that axe objects to or that is wider than the screen', async () => {
      const { page } = await open('index.html', { bypass: true });
      await page.evaluate(readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8'));
      const wrong = await page.evaluate(async (names) => {
        const found = [];
        for (const name of names) {
          const text = await (await fetch(name)).text();
          const { body, title } = new DOMParser().parseFromString(text, 'text/html');
          document.title = title;
          document.body.replaceWith(document.importNode(body, true));
          document.body.className = 'scripted';
          if (name !== names[0]) document.querySelector('nav').remove(); // the same on each page
          const { violations: all } = await axe.run(document, { resultTypes: ['violations'] });
          for (const { id, nodes } of all) found.push(`${name}: ${id} ${nodes[0].html.slice(0, 200)}`);
          const { scrollWidth } = document.documentElement;
          if (scrollWidth > 390) found.push(`${name}: ${scrollWidth} pixels wide`);
        }
        return found;
      }, pages);
      assert.deepEqual(wrong, []);
      await page.close();
    });

    it('keeps its policy on a page of each kind, in the dark too', async () => {
      for (const name of [
        'index.html',
        'elements/filter.html',
        'operations/canny.html',
        'engine.html',
        'benchmark.html',
      ]) {
        const { page, errors } = await open(name);
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
        assert.deepEqual([...errors, ...(await violations(page))], [], name);
        const [ground, words] = await page.evaluate(() => {
          const { backgroundColor, color } = getComputedStyle(document.body);
          return [backgroundColor, color].map((text) => Number(/\d+/.exec(text)[0]));
        });
        assert.ok(ground < 40 && words > 200, `${name}: ${words} on ${ground}`);
        await page.close();
      }
    });

    it('is searched by keyboard', async () => {
      const { page, errors } = await open('operations/canny.html', { viewport: { width: 1280, height: 900 } });
      await page.keyboard.press('/');
      await page.keyboard.type('hyster', { delay: 5 });
      await page.waitForSelector('.found li a');
      assert.match(await page.$eval('.found [role=status]', (status) => status.textContent), /^\d+ found$/);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      const link = await page.evaluate(() => [document.activeElement.localName, document.activeElement.textContent]);
      assert.equal(link[0], 'a');
      assert.match(link[1], /Canny/);
      await page.keyboard.press('Escape');
      assert.deepEqual(await page.evaluate(() => [document.activeElement.type, document.querySelector('.found').hidden]), ['search', true]); // prettier-ignore
      await page.keyboard.type('zzqq');
      await page.waitForFunction(() => document.querySelector('.found p').textContent.startsWith('Nothing found'));
      for (let i = 0; i < 12; i++) await page.keyboard.press('Backspace');
      await page.keyboard.type('fovea');
      await page.waitForFunction(() => document.querySelector('.found li b')?.textContent.includes('fovea'));
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      assert.match(page.url(), /optic-disc\.html/);
      assert.deepEqual([...errors, ...(await violations(page))], []);
      await page.close();
    });

    it('finds the blink threshold, and copies code', async () => {
      const { page, errors } = await open('index.html');
      await page.type('form.search input', 'blink threshold');
      await page.waitForFunction(() => document.querySelector('.found li b')?.textContent.includes('Glossary'));
      const { left, right } = await page.$eval('.found', (found) => found.getBoundingClientRect().toJSON());
      assert.ok(left >= 0 && right <= 390, `${left} to ${right}`);
      await page.evaluate(() => {
        navigator.clipboard.writeText = async (copied) => void (window.copied = copied);
        document.querySelector('.code button').click();
      });
      assert.match(await page.evaluate(() => window.copied), /^<script src="foveola\.cdn\.js">/);
      assert.deepEqual([...errors, ...(await violations(page))], []);
      await page.close();
    });

    it('has a menu that opens', async () => {
      const { page } = await open('index.html');
      const shown = () => page.$eval('nav', (nav) => nav.checkVisibility());
      assert.equal(await shown(), false);
      await page.focus('button.menu');
      await page.keyboard.press('Enter');
      assert.equal(await shown(), true);
      assert.equal(await page.$eval('button.menu', (button) => button.ariaExpanded), 'true');
      await page.close();
    });

    /** The site after its first visit, when its server is gone. */
    const stored = async () => {
      const server = await serve({ mounts: { '/any/path/': folder } });
      const opened = (name) => site.open(`${server.url}/any/path/${name}`);
      const first = await opened('index.html');
      await first.page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.active); // all is stored
      await server.close();
      return { first, opened };
    };

    it('is stored, and then works under any path without a server', async () => {
      const { first, opened } = await stored();
      const { page, errors } = await opened('demo/');
      await page.reload();
      await page.waitForFunction(() => document.getElementById('demo').tracking, { polling: 50, timeout: 30_000 });
      assert.equal(await page.evaluate(() => document.getElementById('demo').sourceName), 'sample.webm');
      await Promise.all([page.waitForNavigation(), page.click('nav a[href="bench.html"]')]);
      await Promise.all([page.waitForNavigation(), page.click('nav a[href="../index.html"]')]);
      await page.type('form.search input', 'blink threshold');
      await page.waitForFunction(() => document.querySelector('.found li b')?.textContent.includes('Glossary'));
      const own = [...first.errors, ...errors].filter((line) => !/\.webm net::ERR_ABORTED$/.test(line));
      assert.deepEqual(own, []);
      await Promise.all([first, { page }].map((one) => one.page.close()));
    });

    it('measures without a server', async () => {
      const { first, opened } = await stored();
      const bench = await opened('benchmark.html?only=top-hat');
      await bench.page.evaluate(
        () => (navigator.clipboard.writeText = async (copied) => void (window.copied = copied)),
      );
      await bench.page.click('#start');
      await bench.page.waitForSelector('#result:not([hidden])');
      await bench.page.click('#copy-result');
      await bench.page.waitForFunction(() => document.getElementById('copied').textContent === 'Copied.');
      const copied = await bench.page.evaluate(() => window.copied);
      assert.match(copied, /^foveola \d+\.\d+\.\d+, \d{4}-\d\d-\d\d, .*\nGraphics: .*\n.*Chrome/);
      assert.match(copied, /\n\| Top-hat 19 1280x1024 \| WASM, \d threads? \| [\d.]+ \| [\d.]+ \|/);
      assert.deepEqual(bench.errors, []);
      await Promise.all([first, bench].map((one) => one.page.close()));
    });

    it('starts an element when its button is pressed, not before', async () => {
      const { page, errors } = await open('elements/pupil.html');
      const loaded = () => page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/dist/')).length); // prettier-ignore
      assert.equal(await loaded(), 0);
      await page.evaluate(() => addEventListener('foveola-result', ({ detail }) => (window.found ||= detail.pupils[0].found), true)); // prettier-ignore
      await page.focus('.live button');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => window.found, { polling: 50, timeout: 30_000 });
      assert.ok((await loaded()) > 0);
      const own = errors.filter((line) => !/\.webm net::ERR_ABORTED$/.test(line)); // when it has enough
      assert.deepEqual([...own, ...(await violations(page))], []);
      await page.close();
    });
  });
});

describe('figures of the pages', () => {
  it('are those of the long tables', () => {
    assert.deepEqual(
      staleFigures().map(({ file }) => file),
      [],
      'npm run docs -- --write',
    );
  });

  const tables = `<!-- bench: speed x -->

\`npm run bench\`, date 2026-01-02 03:04 UTC; CPU Some, 2 cores; load 1

### First, 10x10

| what | a ms | b | b more |
| --- | --- | --- | --- |
| one | 1.5 | 2 | 7 |
| one & two | 3 | 4 | 8 |

Mean: 0.25 over all.

<!-- /bench -->`;
  const figure = figureReader(() => tables);

  it('are found by block, heading, row and column', () => {
    assert.equal(figure('performance > speed x > First > one > a'), '1.5');
    assert.equal(figure('performance > speed x > First, 10x10 > one > b'), '2');
    assert.equal(figure('performance > speed x > First > line > Mean: # over'), '0.25');
    assert.equal(figure('performance > speed x > machine'), 'Some, 2 cores, 2026-01-02');
    assert.deepEqual([...benchBlocks(tables).keys()], ['speed x']);
  });

  it('fail where there is none, or more than one', () => {
    for (const [name, message] of [
      ['performance > speed y > First > one > a', /no block 'speed y'/],
      ['performance > speed x > Second > one > a', /no heading 'Second'/],
      ['performance > speed x > First > three > a', /no row 'three'/],
      ['performance > speed x > First > one > c', /no column 'c'/],
      ['performance > speed x > First > o > a', /more than one row/],
      ['performance > speed x > First > line > Median: #', /no line/],
    ])
      assert.throws(() => figure(name), { message });
  });

  it('are written behind what names them', () => {
    const template = '| x |\n| --- |\n| {performance > speed x > First > one > a} |';
    const page = `a\n\n<!-- figures\n${template}\n-->\n\nold\n\n<!-- /figures -->\n\nb`;
    assert.equal(
      withFigures(page, figure),
      `a\n\n<!-- figures\n${template}\n-->\n\n| x |\n| --- |\n| 1.5 |\n\n<!-- /figures -->\n\nb`,
    );
  });
});
