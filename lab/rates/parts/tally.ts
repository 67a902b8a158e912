/**
 * Draws, fragments, texture fetches and GPU time of a workload, by pass. Fetches are counted, not read
 * from the text: every draw is repeated by a twin of its pass that counts the calls of texelFetch of each fragment.
 */
import type { Draw, GpuBackend, Texture } from '../../../src/runtime/gpu/gpu-backend.ts';
import { passNamed, type Pass, type UniformTable } from '../../../src/runtime/gpu/pass.ts';

const SAMPLERS = { sampler2D: 'vec4', isampler2D: 'ivec4', usampler2D: 'uvec4' };
const DISJOINT = 0x8fbb;
const TIME_ELAPSED = 0x88bf;

export interface Row {
  draws: number;
  fragments: number;
  fetches: number;
  /** Milliseconds on the GPU, each draw timed alone. */
  ms: number;
}

type AnyPass = Pass<string, UniformTable>;
type AnyDraw = Draw<string, UniformTable>;

/** The fragment shader with one output: its calls of texelFetch, and 1. */
function counting(fragment: string): string {
  const [header] = /^#version[^\n]*\n(?:precision[^\n]*\n)*/.exec(fragment)!;
  const fetches = Object.entries(SAMPLERS).map(
    ([sampler, texel]) =>
      `${texel} fetched(${sampler} s, ivec2 p, int level) { calls++; return texelFetch(s, p, level); }\n`,
  );
  const body = fragment
    .slice(header.length)
    .replace(/\btexelFetch\b/g, 'fetched')
    .replace(/(?:layout\s*\([^)]*\)\s*)?\bout\s+((?:highp\s+)?\w+\s+\w+\s*;)/g, '$1')
    .replace(/\bvoid\s+main\s*\(\s*\)/, 'void counted()')
    .replace(/\bdiscard\s*;/g, 'return;');
  return `${header}int calls = 0;\n${fetches.join('')}layout(location = 0) out vec4 tally;\n${body}
void main() { counted(); tally = vec4(float(calls), 1.0, 0.0, 0.0); }\n`;
}

/** Sum of the first two channels. */
function sums(bytes: Uint8Array): [number, number] {
  const values = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  let [first, second] = [0, 0];
  for (let i = 0; i < values.length; i += 4) {
    first += values[i]!;
    second += values[i + 1]!;
  }
  return [first, second];
}

/** Runs `body` with another `draw`, given the one before. */
async function drawingBy(
  gpu: GpuBackend,
  instead: (draw: (pass: AnyPass, draw: AnyDraw) => void) => (pass: AnyPass, draw: AnyDraw) => void,
  body: () => Promise<unknown>,
): Promise<void> {
  gpu.draw = instead(gpu.draw.bind(gpu) as never) as never;
  try {
    await body();
  } finally {
    delete (gpu as { draw?: unknown }).draw;
  }
}

const rowOf = (rows: Map<string, Row>, name: string): Row => {
  let row = rows.get(name);
  if (!row) rows.set(name, (row = { draws: 0, fragments: 0, fetches: 0, ms: 0 }));
  return row;
};

/** Fragments and fetches of everything that `body` draws. */
export async function countedRows(gpu: GpuBackend, body: () => Promise<unknown>): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  const twins = new Map<string, AnyPass>();
  const reads: Promise<void>[] = [];
  const sizeOf = (surface: unknown) => surface as { width: number; height: number };
  const countDraw = (draw: (pass: AnyPass, draw: AnyDraw) => void) => (declared: AnyPass, given: AnyDraw) => {
    draw(declared, given);
    const pass = passNamed(declared) as AnyPass;
    const row = rowOf(rows, pass.name);
    row.draws++;
    let twin = twins.get(pass.name);
    if (!twin) {
      const blend = pass.screen ? null : 'add';
      twin = { ...pass, name: `${pass.name}, counted`, fragment: counting(pass.fragment), outputs: ['float'], blend };
      twins.set(pass.name, twin);
    }
    const { width, height } = sizeOf(given.targets[0]);
    const target: Texture<'rgba32f'> = gpu.allocate(width, height, 'rgba32f');
    draw(twin, { ...given, targets: [target], clear: [0, 0, 0, 0] });
    reads.push(
      gpu.read(target, given.region).then((bytes) => {
        const [fetches, fragments] = sums(bytes);
        row.fetches += fetches;
        row.fragments += fragments;
      }),
    );
    gpu.release(target);
  };
  await drawingBy(gpu, countDraw, body);
  await Promise.all(reads);
  return rows;
}

/** Adds the GPU's own milliseconds to the rows: medians of some runs of `body`, each draw between two time stamps. */
export async function timeRows(
  gpu: GpuBackend,
  rows: Map<string, Row>,
  body: () => Promise<unknown>,
): Promise<boolean> {
  const { gl, capabilities } = gpu.context;
  if (!capabilities.timer) return false;
  const runs: Map<string, number>[] = [];
  for (let run = 0; run < 5; run++) {
    const queries: [string, WebGLQuery][] = [];
    const timeDraw = (draw: (pass: AnyPass, draw: AnyDraw) => void) => (pass: AnyPass, given: AnyDraw) => {
      const query = gl.createQuery()!;
      gl.beginQuery(TIME_ELAPSED, query);
      draw(pass, given);
      gl.endQuery(TIME_ELAPSED);
      queries.push([pass.name, query]);
    };
    await drawingBy(gpu, timeDraw, body);
    await gpu.fence();
    const times = new Map<string, number>();
    for (const [name, query] of queries) {
      for (let i = 0; i < 200 && !gl.getQueryParameter(query, gl.QUERY_RESULT_AVAILABLE); i++)
        await new Promise((resolve) => setTimeout(resolve, 1));
      const ms = (gl.getQueryParameter(query, gl.QUERY_RESULT) as number) / 1e6;
      times.set(name, (times.get(name) ?? 0) + ms);
      gl.deleteQuery(query);
    }
    if (!(gl.getParameter(DISJOINT) as boolean)) runs.push(times);
  }
  for (const [name, row] of rows) {
    const sorted = runs.map((times) => times.get(name) ?? 0).sort((a, b) => a - b);
    row.ms = sorted[sorted.length >> 1] ?? 0;
  }
  return runs.length > 0;
}
