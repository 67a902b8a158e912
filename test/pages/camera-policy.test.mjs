// Full run only: a browser or processes for each test.
// Who withholds the camera from a page in a frame, and what the element says of it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startSite } from '../support/pages.mjs';
import { serve } from '../../tools/serve.mjs';
import { firstError, pageOf, heard } from './element-support.mjs';

const around = (attributes, src = '/camera.html') =>
  `<!doctype html><title>outer</title><iframe ${attributes} src="${src}"></iframe>`;
const none = { 'Permissions-Policy': 'camera=()' };

describe('a camera in a frame', () => {
  let site;
  let other;
  before(async () => {
    site = await startSite({
      routes: {
        '/heard.js': heard,
        '/camera.html': pageOf('controls camera'),
        '/forbids.html': pageOf('controls camera'),
        '/plain.html': around(''),
        '/header.html': around(''),
        '/inner-header.html': around('', '/forbids.html'),
        '/withheld.html': around(`allow="camera 'none'"`),
        '/sandbox.html': around('sandbox="allow-scripts"'),
      },
      headers: (page) => (page === '/header.html' || page === '/forbids.html' ? none : {}),
      args: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream=deny'],
    });
    other = await serve({
      routes: {
        '/heard.js': heard,
        '/camera.html': pageOf('controls camera'),
        '/other.html': around('', `${site.server.url}/camera.html`),
        '/sandbox.html': around('sandbox="allow-scripts"'),
      },
      headers: () => ({ 'Access-Control-Allow-Origin': '*' }),
    });
  });
  after(async () => {
    await site?.close();
    await other?.close();
  });

  async function told_(address, open = async (target) => target) {
    const page = await site.browser.newPage();
    await page.goto(new URL(address, site.server.url).href);
    const frame = await open(await (await page.waitForSelector('iframe')).contentFrame());
    await frame.waitForFunction(() =>
      document.querySelector('foveola-pupil')?.shadowRoot?.querySelector('[part~=start-camera]'),
    );
    await frame.evaluate(() =>
      document.querySelector('foveola-pupil').shadowRoot.querySelector('[part~=start-camera]').click(),
    );
    const error = await firstError(frame);
    await page.close();
    return error;
  }

  it('of the same origin was refused by its user, and no attribute is asked for', async () => {
    const { code, message } = await told_('/plain.html');
    assert.equal(code, 'camera-denied');
    assert.doesNotMatch(message, /iframe|allow=/);
  });

  const cases = {
    '/header.html': [
      /page around this frame \(\/header\.html\).*Permissions-Policy header.*Remove camera=\(\)/,
      /allow="camera"/,
    ],
    '/inner-header.html': [/page in this frame \(\/forbids\.html\).*its Permissions-Policy header/, /allow="camera"/],
    '/withheld.html': [/allow="camera 'none'".*write allow="camera"/, /header/],
  };
  for (const [address, [says, saysNot]] of Object.entries(cases))
    it(`of the same origin is withheld: ${address.slice(1, -5)}`, async () => {
      const { code, message } = await told_(address);
      assert.equal(code, 'camera-blocked-by-policy');
      assert.match(message, says);
      assert.doesNotMatch(message, saysNot);
    });

  it('of the same origin is withheld: a sandbox', async () => {
    const { code, message } = await told_(`${other.url}/sandbox.html`);
    assert.equal(code, 'camera-blocked-by-policy');
    assert.match(message, /sandboxed.*allow-same-origin/);
    assert.doesNotMatch(message, /Permissions-Policy/);
  });

  it('a sandbox that withholds files as well is named', async () => {
    const { code, message } = await told_('/sandbox.html');
    assert.equal(code, 'asset-missing');
    assert.match(message, /is missing.*This frame is sandboxed: add allow-same-origin/);
  });

  it('of another origin needs the attribute', async () => {
    const { code, message } = await told_(`${other.url}/other.html`);
    assert.equal(code, 'camera-blocked-by-policy');
    assert.match(message, /Add allow="camera" to its <iframe>/);
  });
});
