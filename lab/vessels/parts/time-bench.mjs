// Opens the timing page in this machine's browser.
export async function openTimes({ serve, openBrowser, bundleForPage }, { args = [] } = {}) {
  const server = await serve({ routes: { '/bench.html': '<!doctype html><title>bench</title>' } });
  const browser = await openBrowser({ protocolTimeout: 900_000, args });
  const page = await browser.newPage();
  await page.goto(`${server.url}/bench.html`);
  await page.addScriptTag({
    content: await bundleForPage('lab/vessels/parts/time-page.ts', { name: 'vesselTimes' }),
  });
  return (name, ...rest) => page.evaluate((n, a) => globalThis.vesselTimes[n]('/dist/kernels.wasm', ...a), name, rest);
}
export const SIZES = [
  [700, 605],
  [2240, 1488],
  [3504, 2336],
];
/** As in time-page.ts. */
export const thickSigma = (width) => Math.round(((3.4 * width * 0.93) / 540) * 10) / 10;
/** Paper 003, times its own CPU code: tables 3 (shared memory) and 4 on GTX 950, 960, 980; table 5 on 950, 960. */
export const SPEED_UPS = {
  hessian: { '700x605': [67.81, 67.81, 79.8], '2240x1488': [80, 87.15, 129], '3504x2336': [83.3, 87.34, 153.7] },
  eigenvalues: {
    '700x605': [10.73, 17.17, 21.05],
    '2240x1488': [24.53, 25.16, 27.64],
    '3504x2336': [25.7, 27.1, 33.85],
  },
  thick: { '700x605': [7.3, 7.25], '2240x1488': [14.9, 16], '3504x2336': [16.28, 17.5] },
};
