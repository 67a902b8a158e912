// The tag of docs/lsl.md on a page: its samples arrive in the XDF file of `foveola lsl`, and markers of the element too.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../tools/serve.mjs';
import { readXdf } from '../command/xdf-reader.mjs';
import { folder } from '../command/support.mjs';
import { startSite } from '../support/pages.mjs';
import { blocks } from '../support/snippets.mjs';
import { heard } from './element-support.mjs';

const [tag] = blocks.filter(({ file, language }) => file === 'docs/lsl.md' && language === 'html');

describe('an element that streams to foveola lsl', () => {
  let site;
  let made;
  let bridge;
  let address;
  before(async () => {
    made = folder();
    bridge = spawn(process.execPath, [
      path.join(root, 'dist/bin/foveola.js'),
      ...['lsl', '--port', '0', '--xdf', made.at('out.xdf')],
    ]);
    let printed = '';
    for (const stream of [bridge.stdout, bridge.stderr]) stream.on('data', (text) => (printed += text));
    while (!(address = /ws:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0])) {
      assert.equal(bridge.exitCode, null, printed);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    site = await startSite({
      routes: {
        '/heard.js': heard,
        '/page.html': `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>test</title>
          <script src="/heard.js"></script><script src="/dist/foveola-pupil.cdn.js"></script></head>
          <body>${tag.text.replace('ws://127.0.0.1:8765', address)}</body></html>`,
      },
    });
  });
  after(async () => {
    await site?.close();
    bridge?.kill();
    made?.remove();
  });

  it('sends a sample per frame, and its markers', async () => {
    const { page, errors } = await site.open('/page.html');
    await page.$eval('foveola-pupil', (eye) => eye.open('/demo/media/sample.webm'));
    await page.waitForFunction('heard.results.length > 20');
    await page.$eval('foveola-pupil', (eye) => {
      eye.record();
      eye.mark('flash');
    });
    const results = await page.evaluate('heard.results.length');
    await page.waitForFunction((before) => heard.results.length > before + 10, {}, results);
    assert.deepEqual(errors, []);
    assert.deepEqual(await page.evaluate('heard.errors'), []);
    await page.close();
    const ended = once(bridge, 'close');
    bridge.kill('SIGINT');
    await ended;
    const streams = readXdf(readFileSync(made.at('out.xdf')));
    const samples = streams.find(({ labels }) => labels.includes('diameter'));
    assert.ok(samples.samples.length > 20, `${samples.samples.length}`);
    const markers = streams.find(({ format }) => format === 'string');
    assert.equal(markers.samples[0][1], 'flash'); // removed with its page, the element adds that it is out of sight
  });
});
