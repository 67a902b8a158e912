// Writes assembly/flow/refine-median.ts: the 5x5 median of tools/median-network.mjs for 32-bit floats.
//   node tools/flow/median-network.mjs
import { writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { source } from '../median-network.mjs';

const PITCH = 384;
const LEFT = 64;

/** Offsets are in bytes: a neighbor is four of them away. */
function offset(text) {
  const value = Number(text);
  const shift = value % PITCH > LEFT + 8 ? 0 : (value % PITCH) - LEFT;
  return value + 3 * shift;
}

export function floatSource() {
  return source(5)
    .replace('tools/median-network.mjs', 'tools/flow/median-network.mjs')
    .replace('Median over 5x5', 'Median of floats over 5x5')
    .replace('i8x16.min_u(a, b)', 'f32x4.pmin(a, b)')
    .replace('i8x16.max_u(a, b)', 'f32x4.pmax(a, b)')
    .replaceAll(/(v128\.load\(p, )(\d+)\)/g, (_, head, value) => `${head}${offset(value)})`)
    .replaceAll('export function median5', 'export function flowMedian')
    .replace('  const tile = scratch + 16;', '  const tile = scratch + 16;\n  const bytes = width << 2;')
    .replace('x < width; x += 256', 'x < bytes; x += 256')
    .replace(/(replicate\(tile.*), width\)/, '$1, bytes)')
    .replace('min(256, width - x)', 'min(256, bytes - x)')
    .replace('v128.load8_splat(p))', 'v128.load32_splat(p))')
    .replace('v128.load8_splat(p + left - 1)', 'v128.load32_splat(p + left - 4)')
    .replace('Both medians of 16 columns', 'Both medians of 4 columns');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(fileURLToPath(new URL('../../assembly/flow/refine-median.ts', import.meta.url)), floatSource());
