// The page that times calls of the public API, here and as a folder for another machine.
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const option = (args, name, otherwise) => {
  const at = args.indexOf(name);
  return at < 0 ? otherwise : args[at + 1];
};

/** The page and what it imports as a folder for a machine without Node; figures are in window.__result. */
export function packDoor(root, folder, given) {
  const parts = 'bench/door/parts';
  for (const file of ['door-page.js', 'door-scene.js'])
    cpSync(path.join(root, parts, file), path.join(folder, parts, file));
  cpSync(path.join(root, 'dist'), path.join(folder, 'dist'), {
    recursive: true,
    filter: (file) => !/cdn\.js|\.d\.ts/.test(file),
  });
  const json = JSON.stringify(given).replaceAll('"', '&quot;');
  writeFileSync(
    path.join(folder, 'page.html'),
    `<!doctype html><meta charset="utf-8"><title>door</title><body data-measure="${json}"><script type="module" src="/${parts}/door-page.js"></script>\n`,
  );
}

/** What a function of the page gives. */
export async function onDoorPage({ serve, openBrowser }, name, ...given) {
  const html =
    '<!doctype html><meta charset="utf-8"><title>door</title><script type="module" src="/bench/door/parts/door-page.js"></script>';
  const server = await serve({ routes: { '/door.html': html } });
  const browser = await openBrowser({ protocolTimeout: 900_000 });
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error.message));
  await page.goto(`${server.url}/isolated/door.html`);
  await page.waitForFunction((called) => globalThis[called], {}, name);
  return page.evaluate((called, list) => globalThis[called](...list), name, given);
}
