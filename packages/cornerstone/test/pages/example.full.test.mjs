// The example with Cornerstone3D itself, in a browser. npm installs Cornerstone3D into the folder of the example.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startSite } from '../../../../test/support/pages.mjs';
import { importTs } from '../../../../tools/import-ts.mjs';
import { root } from '../../../../tools/setup.mjs';

const folder = path.join(root, 'packages/cornerstone');

function install() {
  const cwd = path.join(folder, 'example');
  if (existsSync(path.join(cwd, 'node_modules/@cornerstonejs/core'))) return;
  const quiet = [
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    '--loglevel=error',
  ];
  execFileSync('npm', ['install', ...quiet], { cwd, shell: process.platform === 'win32' });
}

/** In the page: share of the pixels of the picture that are about this color. */
function shareOf(canvas, [red, green, blue]) {
  const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
  const context = copy.getContext('2d');
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, copy.width, copy.height);
  const near = (i) => Math.hypot(data[i] - red, data[i + 1] - green, data[i + 2] - blue) < 40;
  let count = 0;
  for (let i = 0; i < data.length; i += 4) count += Number(near(i));
  return count / (data.length / 4);
}

describe('@foveola/cornerstone in a browser', () => {
  const files = mkdtempSync(path.join(tmpdir(), 'cornerstone-'));
  let site;
  before(async () => {
    install();
    execFileSync(process.execPath, [path.join(folder, 'build.mjs')]);
    const { example } = await import('../../example/start.mjs');
    site = await startSite(await example());
  });
  after(async () => {
    await site?.close();
    rmSync(files, { recursive: true });
  });

  it('shows a photograph with arteries and veins over it, measures, SEG and SR', async () => {
    const { photograph } = await importTs('packages/cornerstone/test/load.ts');
    const file = path.join(files, 'photograph.dcm');
    writeFileSync(file, await photograph());
    const { page, errors } = await site.open('/example/index.html');
    await page.waitForSelector('canvas');
    await (await page.$('#file')).uploadFile(file);
    await page.waitForFunction(() => document.getElementById('sr').href);
    const share = (color) => page.$eval('canvas', shareOf, color);
    const [retina, arteries, veins] = [
      [190, 110, 40],
      [230, 50, 40],
      [50, 110, 250],
    ];
    for (let i = 0; i < 100 && (await share(arteries)) < 0.005; i++)
      await new Promise((resolve) => setTimeout(resolve, 100));
    if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });
    assert.ok((await share(retina)) > 0.3, 'the photograph');
    assert.ok((await share(arteries)) > 0.005 && (await share(veins)) > 0.002, 'the labelmap');
    assert.match(await page.$eval('#values', (values) => values.textContent), /vessel-area/);
    assert.deepEqual(errors, []);
    await page.close();
  });
});
