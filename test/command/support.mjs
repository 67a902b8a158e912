// What the tests of the command share: rendered recordings and photographs, the command itself, folders that go away.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../tools/setup.mjs';

export const script = path.join(root, 'dist/bin/foveola.js');
export const library = () => import(path.join(root, 'dist/node.js'));

export function folder() {
  const made = mkdtempSync(path.join(tmpdir(), 'foveola-command-'));
  return {
    path: made,
    at: (...parts) => path.join(made, ...parts),
    remove: () => rmSync(made, { recursive: true, force: true }),
  };
}

/** Runs the command to its end. `during`: called with the process. */
export function foveola(args, { during, env } = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { env: { ...process.env, ...env } });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data) => (stdout += data));
    child.stderr.on('data', (data) => (stderr += data));
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
    during?.(child, () => stderr);
  });
}

/** A dark disc on gray, video range, as the planes of I420. */
export function disc(width, height, x, y, r) {
  const picture = new Uint8Array(width * height * 1.5).fill(128);
  for (let v = 0; v < height; v++)
    for (let u = 0; u < width; u++) {
      const edge = Math.min(1, Math.max(0, Math.hypot(u - x, v - y) - r + 0.5));
      picture[v * width + u] = 40 + 90 * edge;
    }
  return picture;
}

/** A recording of a disc that moves, at 25 frames a second; `gap`: one frame that comes 100 ms late. */
export async function recording(file, { frames = 20, width = 160, height = 120, gap = Infinity, r = 20 } = {}) {
  const { encodeRecording } = await library();
  const out = await encodeRecording(file, { width, height });
  for (let i = 0; i < frames; i++) await out.add(disc(width, height, 60 + i, 60, r), 40 * i + (i >= gap ? 100 : 0));
  await out.close();
}

/** Files below a folder with their contents. */
export function contents(from) {
  const files = readdirSync(from, { recursive: true }).filter((file) => statSync(path.join(from, file)).isFile());
  return Object.fromEntries(files.sort().map((file) => [file, readFileSync(path.join(from, file))]));
}

export const rowsOf = (text) => text.split('\n').filter((line) => line && !line.startsWith('#'));
