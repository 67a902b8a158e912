// The compose file of the queue against what it starts: there is no Docker where the tests run.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../tools/setup.mjs';

const text = readFileSync(path.join(root, 'examples/queue/compose.yaml'), 'utf8');
const { name, bin, engines, peerDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

describe('examples/queue/compose.yaml', () => {
  it('installs the package and all that its queue needs beside it', () => {
    const [, packages] = /npm install (.+)/.exec(text);
    const wanted = Object.keys(peerDependencies).filter((one) => !['react', 'vue', 'koffi', 'ws'].includes(one));
    assert.deepEqual(packages.split(' ').sort(), [name, ...wanted].sort());
  });

  it('starts commands that there are, in an image of a Node that the package allows', () => {
    assert.ok(bin.foveola);
    const usage = readFileSync(path.join(root, 'src/command/usage.ts'), 'utf8');
    const commands = [...text.matchAll(/node_modules\/\.bin\/foveola[, ]+(\w+)/g)].map(([, command]) => command);
    assert.deepEqual(commands.sort(), ['queue', 'status', 'worker']);
    for (const command of commands) assert.match(usage, new RegExp(`foveola ${command}\\b`));
    for (const [, option] of text.matchAll(/foveola.* --([a-z]+)/g)) assert.match(usage, new RegExp(`--${option}\\b`));
    const least = Number(/\d+/.exec(engines.node)[0]);
    for (const [, version] of text.matchAll(/image: node:(\d+)/g)) assert.ok(Number(version) >= least, version);
  });

  it('gives what its variables name to those that read them, and to services that there are', () => {
    const read = ['store.ts', '../usage.ts']
      .map((file) => readFileSync(path.join(root, 'src/command/queue', file), 'utf8'))
      .join('');
    const variables = [...text.matchAll(/^ +((?:FOVEOLA|AWS)_\w+):/gm)].map(([, variable]) => variable);
    assert.ok(variables.length >= 5);
    for (const variable of variables) assert.ok(read.includes(variable), variable);
    const services = [...text.matchAll(/^ {2}(\w+):$/gm)].map(([, service]) => service);
    for (const [, needed] of text.matchAll(/^ +(\w+): \{ condition:/gm)) assert.ok(services.includes(needed), needed);
    assert.match(text, /redis:\/\/redis:6379/);
  });
});
