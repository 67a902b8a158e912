// `npm start`: installs what is missing, builds the kernels, serves the demo pages and opens the first. Their scripts are
// bundled from the sources when a page asks for them, so that a page shows what was saved when it is loaded again.
// `npm run dev` also runs the nearest tests of each file that is saved.
// PORT chooses the port; CI=true or BROWSER=none opens nothing.
import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import path from 'node:path';
import { filesBelow } from './fingerprint.mjs';
import { main, root, setUp } from './setup.mjs';

function openBrowser(url) {
  const { CI, BROWSER, DISPLAY, WAYLAND_DISPLAY } = process.env;
  if ((CI && CI !== 'false') || BROWSER === 'none') return;
  const { platform } = process;
  if (platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return;
  const [command, ...args] =
    platform === 'darwin' ? ['open', url] : platform === 'win32' ? ['cmd', '/c', 'start', '', url] : ['xdg-open', url];
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {}); // the address is printed anyway
  child.unref();
}

/** Scripts by their address: the files of dist/ that pages name, and the sources that start as workers. */
async function scriptRoutes(exampleMounts) {
  const [{ sourceScript }, { isolation }] = await Promise.all([import('./test-bundles.mjs'), import('./serve.mjs')]);
  const conditions = ['browser', 'production'];
  const cdn = filesBelow(root, ['widget/cdn'], (file) =>
    /\/(all|face|filter|pupil|pupil-test|track|vessels)\.ts$/.test(file),
  );
  const named = cdn.map((file) => {
    const name = path.basename(file, '.ts');
    return [
      `/dist/foveola${name === 'all' ? '' : `-${name}`}.cdn.js`,
      [file, { format: 'iife', globalName: 'foveola', conditions }],
    ];
  });
  const modules = {
    ...{ foveola: 'src/index.ts', 'foveola.elements': 'widget/elements.ts' },
    ...{ reports: 'src/reports/index.ts', worker: 'src/worker.ts' },
  };
  for (const [name, file] of Object.entries(modules)) named.push([`/dist/${name}.js`, [file, { conditions }]]);
  for (const [address, given] of [...named])
    for (const folder of Object.keys(exampleMounts)) named.push([address.replace('/dist/', folder), given]);
  for (const file of filesBelow(root, ['src', 'widget'], (name) => name.endsWith('.ts')))
    named.push([`/${file}`, [file, {}]]);
  const script = (file, options) => async (request, response) => {
    const text = await sourceScript(file, options);
    response.writeHead(200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'no-cache',
      ...isolation,
    });
    response.end(text);
  };
  return Object.fromEntries(named.map(([address, given]) => [address, script(...given)]));
}

/** Runs the tests that are nearest to what was saved, one run after the other. */
async function testWhatIsSaved() {
  const { nearestTests } = await import('./changed-tests.mjs');
  const saved = new Set();
  let running = false;
  async function run() {
    if (running || !saved.size) return;
    const files = [...saved];
    saved.clear();
    const tests = nearestTests(root, files);
    console.log(`\n${files.join(', ')}: ${tests.length ? tests.join(', ') : 'no test imports it'}`);
    if (!tests.length) return;
    running = true;
    const child = spawn(process.execPath, ['tools/test.mjs', ...tests], { cwd: root, stdio: 'inherit' });
    child.on('close', () => {
      running = false;
      run();
    });
  }
  let timer = 0;
  for (const folder of ['src', 'widget', 'glsl', 'assembly', 'test'])
    watch(path.join(root, folder), { recursive: true }, (_, name) => {
      if (!/\.(ts|mjs|frag|vert|glsl)$/.test(name ?? '')) return;
      saved.add(path.posix.join(folder, name.split(path.sep).join('/')));
      clearTimeout(timer);
      timer = setTimeout(run, 200);
    });
}

await main(async () => {
  await setUp({ bundles: false });
  const [{ serve, sharedFolder }, { exampleMounts, exampleRoutes }] = await Promise.all([
    import('./serve.mjs'),
    import('./examples.mjs'),
  ]);
  const server = await serve({
    port: Number(process.env.PORT ?? 8000),
    home: '/demo/',
    mounts: { ...(existsSync(sharedFolder) && { '/shared/': sharedFolder }), ...exampleMounts },
    routes: { ...exampleRoutes, ...(await scriptRoutes(exampleMounts)) },
  });
  console.log(`\n  foveola demo     ${server.url}/`);
  console.log(`  with threads     ${server.url}/isolated/demo/   (the same pages, cross-origin isolated)`);
  console.log(`  examples         ${server.url}/examples/   (react after npm run build)`);
  console.log('\n  Ctrl+C stops it.\n');
  openBrowser(`${server.url}/`);
  if (process.argv.includes('--tests')) await testWhatIsSaved();
});
