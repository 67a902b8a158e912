// What is shipped within scripts, deflated by Zopfli: about a twentieth smaller than by zlib, for seconds of the build. The
// same bytes go into many scripts, so what was deflated once is kept in build/deflated.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import zopfli from '@gfx/zopfli';
import { writeWhole } from './fingerprint.mjs';

const kept = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../build/deflated');
const running = new Map();

/** A raw deflate stream. Codes begin again wherever that pays, so streams of different kinds may stand one after the other. */
export function deflate(bytes, rounds = 5) {
  const name = createHash('sha256').update(`${rounds} `).update(bytes).digest('hex');
  if (!running.has(name)) running.set(name, deflated(path.join(kept, name), bytes, rounds));
  return running.get(name);
}

async function deflated(file, bytes, rounds) {
  if (existsSync(file)) return readFileSync(file);
  const small = Buffer.from(await zopfli.deflateAsync(bytes, { numiterations: rounds, blocksplittingmax: 0 }));
  writeWhole(file, small);
  return small;
}
