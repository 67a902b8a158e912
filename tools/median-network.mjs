// Writes assembly/image/median-5.ts, median-7.ts and median-11.ts: medians by exchanges of minimum and maximum, 16
// pixels at a time, two rows at once. Straight-line code of some hundred exchanges that nobody would write by hand.
//   node tools/median-network.mjs
//
// The rows that both windows share are the core, k - 1 rows of k; each window has one row more. Sorted columns of the
// core are computed once and shared by all windows that they are in; so are merged pairs (and for 11 quads) of columns.
// The rest is merged for each window, and only those exchanges are kept that the middle ranks of the core depend on:
// of the core's (k - 1) k samples, k + 1 can be the median, and it is the (k + 1)th of those and the k of the extra row.
// Merging: Batcher's odd-even merge for any two lengths (Knuth, The Art of Computer Programming 3, 5.3.4).
import { writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PITCH = 384; // bytes of an array of a tile: 64 before, 256 samples, 64 behind
const TILE = 256;
const LEFT = 64;

/** A program of minima and maxima; values are numbers, inputs come first. */
export class Network {
  nodes = []; // { op: 'in' | 'lo' | 'hi', a, b, load }
  input(load) {
    return this.nodes.push({ op: 'in', load }) - 1;
  }
  lo(a, b) {
    return this.nodes.push({ op: 'lo', a, b }) - 1;
  }
  hi(a, b) {
    return this.nodes.push({ op: 'hi', a, b }) - 1;
  }
  merge(a, b) {
    if (!a.length) return b;
    if (!b.length) return a;
    if (a.length === 1 && b.length === 1) return [this.lo(a[0], b[0]), this.hi(a[0], b[0])];
    const half = (list, start) => list.filter((_, i) => i % 2 === start);
    const v = this.merge(half(a, 0), half(b, 0));
    const w = this.merge(half(a, 1), half(b, 1));
    const out = [v[0]];
    for (let i = 0; i < Math.max(w.length, v.length - 1); i++) {
      const [p, q] = [w[i], v[i + 1]];
      if (p === undefined) out.push(q);
      else if (q === undefined) out.push(p);
      else out.push(this.lo(p, q), this.hi(p, q));
    }
    return out;
  }
  sort(list) {
    if (list.length < 2) return list;
    const half = Math.ceil(list.length / 2);
    return this.merge(this.sort(list.slice(0, half)), this.sort(list.slice(half)));
  }
  /** The value of rank `rank` (from 1) of two sorted lists together. */
  rank(a, b, rank) {
    const terms = [];
    for (let i = Math.max(0, rank - b.length); i <= Math.min(rank, a.length); i++) {
      const j = rank - i;
      terms.push(i === 0 ? b[j - 1] : j === 0 ? a[i - 1] : this.hi(a[i - 1], b[j - 1]));
    }
    return terms.reduce((x, y) => this.lo(x, y));
  }
  /** Indices of the nodes that the outputs depend on, in order. */
  live(outputs) {
    const used = new Set(outputs);
    for (let i = this.nodes.length - 1; i >= 0; i--)
      if (used.has(i) && this.nodes[i].op !== 'in') used.add(this.nodes[i].a).add(this.nodes[i].b);
    return [...used].sort((p, q) => p - q);
  }
  /** What the outputs are for given inputs. */
  run(outputs, valueOf) {
    const values = [];
    this.nodes.forEach(({ op, a, b, load }, i) => {
      values[i] = op === 'in' ? valueOf(load) : Math[op === 'lo' ? 'min' : 'max'](values[a], values[b]);
    });
    return outputs.map((i) => values[i]);
  }
}

/** Statements of a network, then `store(k)` of output k as soon as it is known. */
function statements(network, outputs, load, store) {
  const lines = [];
  const live = network.live(outputs);
  // Inputs where they are first needed keeps fewer values alive.
  const seen = new Set();
  const need = (i) => {
    if (network.nodes[i].op === 'in' && !seen.has(i)) {
      seen.add(i);
      lines.push(`const t${i} = ${load(network.nodes[i].load)};`);
    }
  };
  for (const i of live) {
    const { op, a, b } = network.nodes[i];
    if (op === 'in') continue;
    need(a);
    need(b);
    lines.push(`const t${i} = ${op}(t${a}, t${b});`);
  }
  outputs.forEach((i, k) => lines.push(store(k, `t${i}`)));
  // Several to a line: the text is as regular as a table.
  const rows = [''];
  for (const line of lines) {
    if (rows.at(-1).length + line.length > 112) rows.push('');
    rows[rows.length - 1] += (rows.at(-1) && ' ') + line;
  }
  return { text: rows.map((row) => `    ${row}`).join('\n'), exchanges: live.length - seen.size };
}

const array = (index, shift = 0) => index * PITCH + LEFT + shift;

/** Which arrays there are: sorted columns, extra rows, pairs, quads. */
export function plan(k) {
  const radius = (k - 1) / 2;
  const core = k - 1;
  const quads = k > 8;
  const columns = 0;
  const extra = core;
  const pair = extra + 2;
  const quad = pair + 2 * core;
  return { k, radius, core, quads, columns, extra, pair, quad, arrays: quads ? quad + 4 * core : quad };
}

export function columnNetwork({ core }) {
  const n = new Network();
  return [n, n.sort(Array.from({ length: core }, (_, i) => n.input({ row: i })))];
}

/** `width` sorted columns merged with the next `width`. */
export function mergeNetwork({ core }, width, from) {
  const n = new Network();
  const side = (shift) => Array.from({ length: width * core }, (_, i) => n.input({ array: from + i, shift }));
  return [n, n.merge(side(0), side(width))];
}

export function selectNetwork({ k, radius, core, quads, columns, extra, pair, quad }) {
  const n = new Network();
  const read = (from, count, shift) => Array.from({ length: count }, (_, i) => n.input({ array: from + i, shift }));
  const parts = [];
  let x = -radius;
  for (const [width, from] of [...(quads ? [[4, quad]] : []), [2, pair], [1, columns]])
    for (; x + width <= radius + 1; x += width) parts.push(read(from, width * core, x));
  // The smallest two first.
  while (parts.length > 1) {
    parts.sort((a, b) => b.length - a.length);
    const [a, b] = parts.splice(-2);
    parts.push(n.merge(b, a));
  }
  const median = (k * k + 1) / 2;
  const middle = parts[0].slice(median - k - 1, median);
  const outputs = [0, 1].map((row) => {
    const line = n.sort(Array.from({ length: k }, (_, i) => n.input({ array: extra + row, shift: i - radius })));
    return n.rank(middle, line, k + 1);
  });
  return [n, outputs];
}

/** The text of assembly/image/median-k.ts. */
export function source(k) {
  const p = plan(k);
  const load = ({ array: index, shift, row }) =>
    row === undefined ? `v128.load(p, ${array(index, shift)})` : `v128.load(r${row} + x)`;
  const store = (first) => (i, v) => `v128.store(p, ${v}, ${array(first + i)});`;
  const columns = statements(...columnNetwork(p), load, store(p.columns));
  const pairs = statements(...mergeNetwork(p, 1, p.columns), load, store(p.pair));
  const quads = p.quads && statements(...mergeNetwork(p, 2, p.pair), load, store(p.quad));
  const select = statements(...selectNetwork(p), load, (i, v) => `v128.store(${'de'[i]} + x, ${v});`);
  const rows = Array.from({ length: p.core }, (_, i) => i);
  const each = (name, body) => `/** ${body.exchanges} minima and maxima. */
function ${name}(p: usize, end: usize): void {
  for (; p < end; p += 16) {
${body.text}
  }
}
`;
  const bytes = p.arrays * PITCH + TILE + 64;
  return `// Written by tools/median-network.mjs, which explains it. Median over ${k}x${k}, border replicated.
import { Register } from '../runtime/wasm/registers';

function lo(a: v128, b: v128): v128 {
  return i8x16.min_u(a, b);
}
function hi(a: v128, b: v128): v128 {
  return i8x16.max_u(a, b);
}
function row(source: usize, stride: i32, y: i32, height: i32, scratch: usize): usize {
  return Register.address(source + <usize>(min(max(y, 0), height - 1) * stride), scratch);
}

/** Sorted columns of the ${p.core} rows from y - ${p.radius - 1} on, and the two extra rows. */
function columns(source: usize, stride: i32, x0: i32, y: i32, height: i32, p: usize, end: usize, scratch: usize): void {
${rows.map((i) => `  const r${i} = row(source, stride, y - ${p.radius - 1} + ${i}, height, scratch);`).join('\n')}
  const above = row(source, stride, y - ${p.radius}, height, scratch);
  const below = row(source, stride, y + ${p.radius + 1}, height, scratch);
  for (let x = x0; p < end; p += 16, x += 16) {
${columns.text}
    v128.store(p, v128.load(above + x), ${array(p.extra)});
    v128.store(p, v128.load(below + x), ${array(p.extra + 1)});
  }
}

${each('pairs', pairs)}${quads ? `\n${each('quads', quads)}` : ''}
/** Both medians of 16 columns: ${select.exchanges} minima and maxima. */
function select(p: usize, end: usize, d: usize, e: usize): void {
  for (let x = 0; p < end; p += 16, x += 16) {
${select.text}
  }
}

/**
 * What the arrays of a tile have beyond the image's left and right border; the right one may lie behind the tile. A function
 * of its own: one more value in the loop over tiles costs medians a third of their speed in registers.
 */
function replicate(p: usize, bytes: usize, x: i32, width: i32): void {
  const left = <usize>(width - x);
  for (const stop = p + bytes; p < stop; p += ${PITCH}) {
    if (x == 0) v128.store(p - 16, v128.load8_splat(p));
    if (left < ${TILE + 16}) v128.store(p + left, v128.load8_splat(p + left - 1));
  }
}

/** Rows y0..y1-1. */
export function median${k}(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const tile = scratch + 16;
  for (let y = y0; y < y1; y += 2)
    for (let x = 0; x < width; x += ${TILE}) {
      const end = tile + min(${TILE}, width - x);
      columns(source, sourceStride, x - 16, y, height, tile - 16, end + 16, scratch);
      replicate(tile + ${LEFT}, ${(p.core + 2) * PITCH}, x, width);
      pairs(tile - 16, end + 16);
${quads ? '      quads(tile - 16, end + 16);\n' : ''}      const d = target + <usize>(y * targetStride + x);
      select(tile, end, d, y + 1 < y1 ? d + targetStride : tile + ${p.arrays * PITCH});
    }
  return 0;
}

export function median${k}Scratch(): i32 {
  return ${bytes};
}
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const k of [5, 7, 11])
    writeFileSync(fileURLToPath(new URL(`../assembly/image/median-${k}.ts`, import.meta.url)), source(k));
