// A page with the library and page.ts in it; isolated, so that its clock has 5 microseconds.
export async function openPupilPage({ serve, openBrowser, bundleForPage }, { isolated = true, args } = {}) {
  const server = await serve({
    routes: {
      '/favicon.ico': (request, response) => response.writeHead(204).end(),
      '/bench.html': '<!doctype html><meta charset="utf-8"><title>bench</title>',
    },
  });
  const browser = await openBrowser({ protocolTimeout: 1_800_000, ...(args && { args }) });
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(`page: ${error?.message ?? error}`));
  page.on('console', (message) => console.error(`page: ${message.text()}`));
  await page.goto(`${server.url}${isolated ? '/isolated' : ''}/bench.html`);
  await page.addScriptTag({ content: await bundleForPage('bench/pupil/parts/page.ts', { name: 'pupilBench' }) });
  await page.evaluate(() => globalThis.pupilBench.open());
  /** Calls a function of page.ts. */
  const call = (name, ...args) => page.evaluate((name, args) => globalThis.pupilBench[name](...args), name, args);
  return { page, call, browser, server };
}
