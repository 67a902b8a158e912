import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { checkNode, installModules } from '../../tools/setup.mjs';
import { fingerprint, isFresh, writeWhole } from '../../tools/fingerprint.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'foveola-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lockOf = (version) => ({
  packages: {
    '': { name: 'x' },
    'node_modules/a': { version, integrity: `sha512-${version}` },
    'node_modules/b-other-system': { version, optional: true },
  },
});
const write = (file, value) => writeFileSync(path.join(folder, file), JSON.stringify(value));

describe('installation', () => {
  let calls;
  const install = (lock) => () => {
    calls++;
    mkdirSync(path.join(folder, 'node_modules'), { recursive: true });
    const packages = { ...lock.packages };
    delete packages[''];
    delete packages['node_modules/b-other-system'];
    write('node_modules/.package-lock.json', { packages });
  };
  const ran = (lock) => installModules({ folder, log: () => {}, install: install(lock) });
  beforeEach(() => {
    calls = 0;
  });

  it('happens once, and again when the lock file changes', () => {
    write('package-lock.json', lockOf('1.0.0'));
    assert.equal(ran(lockOf('1.0.0')), true);
    assert.equal(ran(lockOf('1.0.0')), false);
    write('package-lock.json', lockOf('1.0.1'));
    assert.equal(ran(lockOf('1.0.1')), true);
    assert.equal(calls, 2);
  });

  it('does not depend on the clock', () => {
    write('package-lock.json', lockOf('1.0.0'));
    ran(lockOf('1.0.0'));
    utimesSync(path.join(folder, 'package-lock.json'), new Date('2100-01-01'), new Date('2100-01-01'));
    assert.equal(ran(lockOf('1.0.0')), false);
  });

  it('is left out after an npm install that already did it', () => {
    const lock = lockOf('1.0.0');
    write('package-lock.json', lock);
    install(lock)();
    assert.equal(ran(lock), false);
    assert.equal(calls, 1);
  });

  it('happens when only half of it is there', () => {
    write('package-lock.json', lockOf('1.0.0'));
    mkdirSync(path.join(folder, 'node_modules/a'), { recursive: true });
    assert.equal(ran(lockOf('1.0.0')), true);
  });

  it('says which Node is needed', () => {
    assert.throws(() => checkNode('18.19.0'), /Node 20 or newer/);
    checkNode('20.0.0');
    checkNode('24.1.0');
  });
});

describe('what is stale', () => {
  it('is decided by content and by the presence of every output', () => {
    mkdirSync(path.join(folder, 'in'));
    writeFileSync(path.join(folder, 'in/a.ts'), '1');
    const print = fingerprint(folder, ['in', 'not-there']);
    writeWhole(path.join(folder, 'stamp'), print);
    assert.equal(isFresh(folder, 'stamp', print, ['out.js']), false);
    writeWhole(path.join(folder, 'out.js'), '');
    assert.equal(isFresh(folder, 'stamp', print, ['out.js']), true);
    writeFileSync(path.join(folder, 'in/a.ts'), '2');
    assert.notEqual(fingerprint(folder, ['in']), print);
    writeFileSync(path.join(folder, 'in/a.ts'), '1');
    assert.equal(fingerprint(folder, ['in']), print);
    writeFileSync(path.join(folder, 'in/b.ts'), '');
    assert.notEqual(fingerprint(folder, ['in']), print);
  });
});
