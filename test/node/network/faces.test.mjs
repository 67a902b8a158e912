// Faces by the shipped network: its answers are PyTorch's, rendered heads are found however they are turned, and options are checked.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { importTs } from '../../../tools/import-ts.mjs';
import { root } from '../../../tools/setup.mjs';

const lib = await importTs('test/node/network/library.ts');
const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
const bytes = new Uint8Array(readFileSync(path.join(root, 'models/faces.bin')));
const network = lib.readNetwork(bytes);
const photograph = lib.facePhotograph();

async function faces({ width, height, data }, given = {}) {
  const runtime = await lib.Runtime.create({ module });
  const source = runtime.plane(width, height, 'u8', data);
  const values = lib.resolveDetection({ variant: 'network', ...given });
  const found = await lib.drive(runtime, (scope) => lib.networkFaces(scope, source, network, values), { side: 'wasm' });
  source.dispose();
  assert.ok(runtime.arena.blocks <= 1, 'blocks left on the arena');
  runtime.dispose();
  return found;
}
