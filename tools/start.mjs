// `npm start`: sets up, builds what is stale, serves the demo pages and shows the first in a browser.
// PORT chooses the port; CI=true or BROWSER=none opens nothing.
import { spawn } from 'node:child_process';
import { main, setUp } from './setup.mjs';
import { existsSync } from 'node:fs';
import { exampleMounts, exampleRoutes } from './examples.mjs';
import { serve, sharedFolder } from './serve.mjs';

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

await main(async () => {
  await setUp();
  const server = await serve({
    port: Number(process.env.PORT ?? 8000),
    home: '/demo/',
    mounts: { ...(existsSync(sharedFolder) && { '/shared/': sharedFolder }), ...exampleMounts },
    routes: exampleRoutes,
  });
  console.log(`\n  foveola demo     ${server.url}/`);
  console.log(`  with threads     ${server.url}/isolated/demo/   (the same pages, cross-origin isolated)`);
  console.log(`  examples         ${server.url}/examples/`);
  console.log('\n  Ctrl+C stops it.\n');
  openBrowser(`${server.url}/`);
});
