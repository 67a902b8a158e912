// NOTICE has the license of everything that is bundled: of the packages that the build found in its modules, and of the
// models.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { packagesOf } from '../../tools/build-package.mjs';
import { root } from '../../tools/setup.mjs';
import { packed } from '../support/package.mjs';

const at = (...parts) => path.join(root, ...parts);
const words = (text) => text.replace(/[\s*#]+/g, ' ').trim();

/** The parts of NOTICE by the packages that they name. */
const parts = readFileSync(at('NOTICE'), 'utf8')
  .split(/^-{10,}$/m)
  .map((text) => ({ text, packages: /^npm: (.*)$/m.exec(text)?.[1].split(', ') ?? [] }));

/** What the license of a package wants to be said. */
function wanted(name) {
  const { license, version } = JSON.parse(readFileSync(at('node_modules', name, 'package.json'), 'utf8'));
  const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt'].map((one) => at('node_modules', name, one)).find(existsSync);
  if (license === 'Apache-2.0') return ['Licensed under the Apache License, Version 2.0; see LICENSE.', 'Copyright'];
  // The source must be named: which one, and where it is.
  if (license === 'MPL-2.0') return ['Mozilla Public License, version 2.0', version, 'npm package', 'Copyright'];
  assert.match(license, /^(MIT|BSD-[23]-Clause|ISC|0BSD)$/, `${name}: may ${license} be bundled?`);
  // A package that brings no license file says its license and whose it is.
  if (!file) return [`${license} License`, 'Permission is hereby granted, free of charge'];
  // The whole text, from the copyright on.
  return [
    words(/^(?:#.*|The MIT.*|BSD.*|MIT.*|\s)*(?=Copyright|Permission)([\s\S]*)$/m.exec(readFileSync(file, 'utf8'))[1]),
  ];
}

describe('NOTICE', () => {
  let bundled;
  let pack;
  before(async () => {
    pack = await packed(); // builds
    const lists = ['.bundled.json', '.bundled-wrappers.json'];
    bundled = [...new Set(lists.flatMap((name) => JSON.parse(readFileSync(at('dist', name), 'utf8'))))].sort();
  });
  after(() => pack?.remove());

  it('names the packages that are bundled, and no others', () => {
    assert.ok(bundled.includes('lit') && bundled.includes('@lit/react'), bundled.join());
    assert.deepEqual(parts.flatMap(({ packages }) => packages).sort(), bundled);
  });

  it('has the license of each', () => {
    for (const name of bundled) {
      const text = words(parts.find(({ packages }) => packages.includes(name)).text);
      for (const sentence of wanted(name)) assert.ok(text.includes(sentence), `${name}: ${sentence}`);
    }
  });

  it('has the notice that goes with each model', () => {
    const all = words(parts.map(({ text }) => text).join('\n'));
    for (const file of readdirSync(at('models'))) {
      const bytes = readFileSync(at('models', file));
      const notice = words(bytes.subarray(20, 20 + bytes.readUInt32LE(8)).toString());
      if (/Intel License/.test(notice)) assert.ok(all.includes(notice.slice(notice.indexOf('By downloading'))), file);
      else assert.ok(all.includes(path.parse(file).name), `${file} is not named`);
    }
  });

  it('is found out from the modules of a bundle', () => {
    const files = ['/a/src/x.ts', '/a/node_modules/@lit/react/index.js', '/a/node_modules/b/node_modules/c/d.js'];
    assert.deepEqual(packagesOf([...files, '\0virtual']), ['@lit/react', 'c']);
  });
});

describe('the pictures in the repository', () => {
  for (const folder of ['demo/media', 'test/media'])
    it(`of ${folder} each have their source and terms in LICENSES.md`, () => {
      const named = readFileSync(at(folder, 'LICENSES.md'), 'utf8');
      const files = readdirSync(at(folder)).filter((file) => !/LICENSE/.test(file));
      assert.ok(files.length > 3);
      assert.deepEqual(
        files.filter((file) => !new RegExp(`^\\|[^|]*\\b${file.replaceAll('.', '\\.')}\\b[^|]*\\|`, 'm').test(named)),
        [],
      );
    });
});
