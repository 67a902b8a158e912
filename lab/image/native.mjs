// Image stages, WASM on one thread in Node, against native OpenCV on one thread in the same run, 1280x1024.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { python } from '../../bench/parts/python.mjs';

const [width, height] = [1280, 1024];

/** An eye of sorts: bright skin, gray iris, dark pupil, reflections, lashes, sensor noise. Seeded. */
function eye() {
  let s = 20260;
  const random = () => {
    s ^= s << 13;
    s ^= s >>> 17;
    s ^= s << 5;
    return (s >>> 0) / 2 ** 32;
  };
  return Uint8Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const r = Math.hypot(x - 640, y - 500);
    let v = r < 110 ? 28 : r < 300 ? 95 + 12 * Math.sin(9 * Math.atan2(y - 500, x - 640) + r / 9) : 165 - r / 14;
    if (Math.hypot((x % 160) - 80, (y % 200) - 90) < 5 && r < 320) v = 250;
    if (y < 300 && Math.abs(((x + y / 3) % 70) - 35) < 3) v -= 70;
    return Math.max(0, Math.min(255, v + 4 * (random() + random() + random() + random() - 2) * 1.7));
  });
}

const native = (file) =>
  python(fileURLToPath(new URL('../../bench/image/native.py', import.meta.url)), width, height, file);

function median(call, seconds = 0.15) {
  call();
  call();
  const times = [];
  for (const end = performance.now() + 1000 * seconds; performance.now() < end || times.length < 5;) {
    const start = performance.now();
    call();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}

/** Each operation as a stage call; outputs are freed with the next call, as in a pipeline. */
function operations(image, runtime, driveNow, gray) {
  const now = (plan) => driveNow(runtime, plan);
  const plane = (format, data) => runtime.plane(width, height, format, data);
  const source = plane('u8', gray);
  const rgba = new Uint8Array(4 * width * height);
  for (let i = 0; i < gray.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    rgba.set(
      [gray[i], gray[((y + height - 1) % height) * width + x], gray[y * width + ((x + width - 1) % width)]],
      4 * i,
    );
    rgba[4 * i + 3] = gray[i];
  }
  const colors = plane('rgba8', rgba);
  const floats = plane('f32', Float32Array.from(gray));
  const mask = plane(
    'u8',
    gray.map((v) => (v > 110 ? 255 : 0)),
  );
  const stage =
    (name, input, params = {}) =>
    () =>
      now((scope) => image[name].wasm(scope, [input], params));
  return {
    'gray from RGBA': stage('gray', colors),
    'Gaussian 5x5, sigma 2': stage('gaussian', source, { size: 5, sigma: 2 }),
    'Gaussian 9x9, sigma 1.7': stage('gaussian', source, { size: 9, sigma: 1.7 }),
    'median 3': stage('median', source, { size: 3 }),
    'median 5': stage('median', source, { size: 5 }),
    'median 7': stage('median', source, { size: 7 }),
    'median 11': stage('median', source, { size: 11 }),
    'erosion 19': stage('erode', source, { size: 19 }),
    'dilation 19': stage('dilate', source, { size: 19 }),
    'top-hat 19': stage('topHat', source, { size: 19 }),
    threshold: stage('threshold', source, { level: 110, value: 255 }),
    'Sobel dx and dy, 16 bits': stage('gradient', source, { derivative: 'sobel' }),
    'Scharr dx and dy, 16 bits': stage('gradient', source, { derivative: 'scharr' }),
    'Sobel dx and dy, floats': stage('gradientFloat', floats, { derivative: 'sobel' }),
    integral: stage('integral', source),
    'integral and squares': () => [...stage('integral', source)(), ...stage('integralSquares', source)()],
    components: stage('components', mask),
    'components, statistics': () => [now((scope) => image.labelComponents(scope, mask, { statistics: true })).labels],
    'pyramid level': stage('pyramidDown', source, { border: 'reflect' }),
    histogram: stage('histogram', source),
    'minimum, maximum and sum': () => void now((scope) => image.reduceIntegers(scope, source)),
    compaction: () =>
      void now((scope) => image.compactTo(scope, mask, 0, scope.block(4 * (mask.width * mask.height + 4)))),
  };
}

export default async function ({ log, table, root, importTs }) {
  const gray = eye();
  const folder = mkdtempSync(path.join(tmpdir(), 'foveola-'));
  const file = path.join(folder, 'eye.gray');
  writeFileSync(file, gray);
  try {
    const image = await importTs('src/image/index.ts');
    const { Runtime } = await importTs('src/runtime/runtime.ts');
    const { driveNow } = await importTs('src/runtime/stage.ts');
    const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
    const runtime = await Runtime.create({ module });
    const before = native(file);
    const rows = [];
    for (const [name, call] of Object.entries(operations(image, runtime, driveNow, gray))) {
      const first = call() ?? [];
      const md5 = createHash('md5');
      for (const out of first) md5.update(new Uint8Array(out.copy().buffer));
      let last = first;
      const ms = median(() => {
        for (const out of last) out.dispose();
        last = call() ?? [];
      });
      for (const out of last) out.dispose();
      rows.push({ name, ms, md5: md5.digest('hex') });
    }
    const after = before.skipped ? before : native(file);
    if (before.skipped) log(`native OpenCV: skipped (${before.skipped})`);
    else log(`native OpenCV ${before.version}, one thread, the faster of a run before and one after; ms, medians`);
    table([
      ['stage', 'WASM', 'native', 'native / WASM', 'same bytes'],
      ...rows.map(({ name, ms, md5 }) => {
        const peers = [before, after].map((run) => run.operations?.[name]).filter(Boolean);
        const peer = Math.min(...peers.map((p) => p.ms));
        const equal = peers[0]?.md5 ? (peers[0].md5 === md5 ? 'yes' : 'NO') : '';
        return peers.length ? [name, ms, peer, peer / ms, equal] : [name, ms, '', '', ''];
      }),
    ]);
    runtime.dispose();
  } finally {
    rmSync(folder, { recursive: true });
  }
}
