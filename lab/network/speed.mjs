// Networks: the same three networks in one page by our WASM, ONNX Runtime Web and TensorFlow.js, one thread each.
//   --peers FOLDER: whose node_modules have onnxruntime-web, @tensorflow/tfjs-core and @tensorflow/tfjs-backend-wasm,
//   not dependencies of this project (npm install --prefix FOLDER ...); --rounds 15
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { argument } from '../../bench/parts/kept-result.mjs';
import { atLeast, fixed, Report } from '../../bench/parts/report.mjs';

/** Pictures of the size that these networks are given: half of 1280x720 for faces from 60 px, a crop, one of STARE. Whole multiples of theirs. */
const NETWORKS = [
  ['faces', 640, 384],
  ['landmarks-network', 112, 112],
  ['vessels', 704, 608],
];
const PEERS = ['ONNX Runtime Web', 'TensorFlow.js'];
const SCRIPTS = ['tfjs-core/dist/tf-core.min.js', 'tfjs-backend-wasm/dist/tf-backend-wasm.min.js'];

export default async function speed({ args, serve, openBrowser, bundleForPage, ...given }) {
  const folder = argument(args, '--peers');
  const modules = folder && path.resolve(folder, 'node_modules');
  const versionOf = (name) => JSON.parse(readFileSync(path.join(modules, name, 'package.json'), 'utf8')).version;
  const scripts = folder ? SCRIPTS.map((file) => `<script src="/peers/@tensorflow/${file}"></script>`).join('') : '';
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>networks</title>${scripts}`;
  const server = await serve({ routes: { '/networks.html': html }, mounts: folder ? { '/peers/': modules } : {} });
  const browser = await openBrowser({ protocolTimeout: 600_000 });
  const page = await browser.newPage();
  await page.goto(`${server.url}/networks.html`);
  await page.addScriptTag({ content: await bundleForPage('lab/network/parts/page.ts', { name: 'networks' }) });
  const report = new Report({ args, ...given });
  const rounds = Number(argument(args, '--rounds') ?? 15);
  const rows = [];
  const ratios = [];
  for (const [name, width, height] of NETWORKS) {
    const result = await page.evaluate(
      (...given) => globalThis.networks.measure(...given),
      `/dist/models/${name}.bin`,
      { width, height },
      rounds,
      Boolean(folder),
    );
    const own = result.foveola.ms;
    const others = PEERS.map((peer) => result[peer]).filter(Boolean);
    ratios.push(...others.map(({ ms }) => ms / own));
    rows.push([
      name,
      `${width}x${height}`,
      fixed(own, 2),
      ...PEERS.flatMap((peer) =>
        result[peer] ? [fixed(result[peer].ms, 2), fixed(result[peer].ms / own, 2)] : ['', ''],
      ),
      others.length ? Math.max(...others.map(({ apart }) => apart)).toExponential(1) : '',
    ]);
  }
  report.line(
    `Pictures in memory to results in memory, medians of ${rounds} rounds, turn about, in milliseconds, one thread with SIMD each. ` +
      (folder
        ? `ONNX Runtime Web ${versionOf('onnxruntime-web')}, TensorFlow.js ${versionOf('@tensorflow/tfjs-core')} with its WASM backend. The weights are the same floats.`
        : 'Without --peers, the others are skipped.'),
  );
  report.table([
    ['network', 'picture', 'foveola', ...PEERS.flatMap((peer) => [peer, 'times ours']), 'largest difference'],
    ...rows,
  ]);
  if (ratios.length) report.list([atLeast('times as fast as the faster of both', Math.min(...ratios), 1.2)]);
  report.finish('lab/results/performance.md', 'speed network', 'speed network --peers FOLDER');
}
