// Imports point one way (design.md): widget -> src/index, src/internal -> capability -> image -> runtime. Between capabilities only
// faces -> flow, objects -> flow, pupil -> edges. models and results are leaves over runtime, frames (which makes gray
// planes) over image and results; of the leaves runtime, whose engine moves frames and results without looking inside,
// knows the types only. series, pure functions of numbers, is the lowest of the leaves.
// reports (what goes into a record) knows results and no capability: it takes plain objects. recordings (what is kept on
// the device) knows results, and pupil for its exports.
// node (the engine outside of a page) joins everything, as src/index.ts does; command, what is typed in a terminal, is
// its user.
// The same holds for glsl/ (by #include) and assembly/, whose folders carry the same names.
// No file reaches itself through its imports, those of types included.
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { cycles, importGraph } from './import-graph.mjs';

const capabilities = ['edges', 'pupil', 'vessels', 'flow', 'inpaint', 'faces', 'objects', 'network'];
// Any of them may run a network.
const between = { faces: ['flow', 'network'], objects: ['flow'], pupil: ['edges', 'network'], vessels: ['network'] };
const leaves = ['frames', 'models', 'results', 'series'];
/** series holds pure functions of numbers: no engine, no frames. It reaches these files and no others. */
const reachedBySeries = [
  'src/runtime/error.ts',
  'src/runtime/parameters.ts',
  'src/results/types.ts',
  'src/results/event-list.ts',
  'src/results/laterality.ts',
  'src/image/numbers.ts',
];

/** Folders below src/ that a folder below src/ may import from, its own excepted. */
function allowedFrom(folder) {
  if (folder === 'runtime') return [];
  if (folder === 'frames') return ['runtime', 'image', 'results']; // a frame becomes a gray plane
  if (folder === 'image') return ['runtime', 'results'];
  if (folder === 'recordings') return ['runtime', 'results', 'series', 'pupil']; // what is kept is exported as well
  if (folder === 'reports') return ['runtime', 'results'];
  if (leaves.includes(folder)) return ['runtime'];
  if (folder === 'protocols') return ['runtime', 'image', 'results', 'series']; // scripts of tests: plain data and a clock
  if (capabilities.includes(folder)) return ['runtime', 'image', ...leaves, ...(between[folder] ?? [])];
  return null;
}

// assembly/ and glsl/ share low helpers in lib/ (and may have runtime/).
const shared = ['lib', 'runtime', 'image'];

/** Why `from` may not import `to` (both relative to the root, with slashes), or null when it may. */
export function objection(from, to, { typeOnly = false } = {}) {
  const [top, folder] = from.split('/');
  const [toTop, toFolder] = to.split('/');
  const outside = ['test', 'tools', 'bench', 'lab', 'demo', 'dist'];
  if (!['src', 'widget', 'glsl', 'assembly'].includes(top)) return null;
  if (outside.includes(toTop)) return `${top}/ is shipped and may not import from ${toTop}/`;

  if (top === 'widget') {
    if (toTop === 'widget' || to === 'src/index.ts' || to === 'src/internal.ts') return null;
    // A part, with what no one else calls.
    if (from.startsWith('widget/tools/storage/') && to.startsWith('src/recordings/')) return null;
    if (folder === 'cdn' && (to === 'src/core.ts' || to === 'src/clinic.ts')) return null; // each script takes its part
    return 'widget/ reaches the library only through src/index.ts and src/internal.ts';
  }
  if (top === 'src') {
    if (toTop === 'widget') return 'src/ knows nothing of widget/';
    if (toTop === 'assembly') return 'kernels are called through the scope of a plan';
    if (!from.slice(4).includes('/') || folder === 'node') return null; // src/index.ts, src/worker.ts and the like join everything
    if (folder === 'command')
      return toFolder === folder || to === 'src/node/index.ts'
        ? null
        : 'the command reaches the library only through src/node/index.ts';
    if (toTop === 'src' && !to.slice(4).includes('/')) return `src/${folder}/ may not import what joins everything`;
    if (toFolder === folder || (toTop === 'glsl' && toFolder === 'lib')) return null;
    if (folder === 'series')
      return reachedBySeries.includes(to) ? null : `src/series/ may import only: ${reachedBySeries.join(', ')}`;
    if (folder === 'runtime' && leaves.includes(toFolder) && typeOnly) return null;
    const allowed = allowedFrom(folder);
    if (!allowed) return `src/${folder}/ is not a folder of the design; add it to tools/check-imports.mjs`;
    if (allowed.includes(toFolder)) return null;
    return `src/${folder}/ may import from: ${[folder, ...allowed].join(', ')}`;
  }
  // glsl and assembly
  if (toTop !== top) return `${top}/ may not import from ${toTop}/`;
  if (!from.slice(top.length + 1).includes('/')) return null; // assembly/index.ts
  if (toFolder === folder || toFolder === 'lib') return null;
  if (folder === 'lib') return `${top}/lib/ may import only from itself`;
  const rank = shared.indexOf(folder);
  const allowed = rank >= 0 ? shared.slice(0, rank) : [...shared, ...(between[folder] ?? [])];
  return allowed.includes(toFolder) ? null : `${top}/${folder}/ may import from: ${[folder, ...allowed].join(', ')}`;
}

/** Every forbidden import of the tree and every cycle, as lines to print. */
export function violations(root) {
  const lines = [];
  const graph = importGraph(root);
  for (const [file, imports] of graph)
    for (const { name, to, typeOnly } of imports) {
      if (to === null) {
        if (/^(lit|@lit)(\/|$)/.test(name) && !file.startsWith('widget/'))
          lines.push(`${file}: Lit is for widget/ only`);
        continue;
      }
      const why = objection(file, to, { typeOnly });
      if (why) lines.push(`${file} imports ${to}: ${why}`);
    }
  for (const cycle of cycles(graph)) lines.push(`cycle: ${cycle.join(' -> ')}`);
  return lines;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lines = violations(path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..'));
  for (const line of lines) console.log(line);
  if (lines.length) process.exitCode = 1;
}
