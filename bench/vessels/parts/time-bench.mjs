// Opens the timing page in this machine's browser.
export async function openTimes({ serve, openBrowser, bundleForPage }, { args = [] } = {}) {
  const server = await serve({ routes: { '/bench.html': '<!doctype html><title>bench</title>' } });
  const browser = await openBrowser({ protocolTimeout: 900_000, args });
  const page = await browser.newPage();
  await page.goto(`${server.url}/bench.html`);
  await page.addScriptTag({
    content: await bundleForPage('bench/vessels/parts/time-page.ts', { name: 'vesselTimes' }),
  });
  return (name, ...rest) =>
    page.evaluate((n, a) => globalThis.vesselTimes[n]('/dist/kernels.st.wasm', ...a), name, rest);
}
export const SIZES = [
  [700, 605],
  [2240, 1488],
  [3504, 2336],
];
/** As in time-page.ts. */
export const thickSigma = (width) => Math.round(((3.4 * width * 0.93) / 540) * 10) / 10;
