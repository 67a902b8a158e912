// What the page tests of the elements share: pages around <foveola-pupil>, and waiting for what it tells.
export const clip = '/demo/media/sample.webm';

/** Two seconds of a dark disc: a page that plays it takes half of a core, one that plays the sample a whole one. */
export const disc = '/test/media/disc.webm';

/** A plain page with one element; its events are kept in window.heard. */
export const pageOf = (attributes, { script = '/dist/foveola.cdn.js', tag = '' } = {}) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>test</title>
   <script src="/heard.js"></script><script src="${script}" ${tag}></script></head>
   <body><main><h1>Test</h1><foveola-pupil id="eye" ${attributes}></foveola-pupil></main></body></html>`;

/** Keeps what the element tells. A file of its own: a strict policy allows no inline script. */
export const heard = `window.heard = { results: [], errors: [], states: [], ready: null, from: new Set() };
  addEventListener('securitypolicyviolation', (e) => heard.errors.push({ code: 'violation', message: e.violatedDirective + ' ' + e.blockedURI }));
  addEventListener('foveola-result', ({ detail, target }) => (heard.results.push(detail), heard.from.add(target.localName)), true);
  addEventListener('foveola-error', ({ detail }) => heard.errors.push({ code: detail.code, message: detail.message }), true);
  addEventListener('foveola-state', ({ detail }) => heard.states.push(detail.state), true);
  addEventListener('foveola-ready', ({ detail }) => (heard.ready = detail), true);`;

export const tracked = (target) =>
  target.waitForFunction(() => heard.results.some(({ pupils }) => pupils[0].found), { polling: 50, timeout: 30_000 });

/** The first error that the element tells; of those that are `wanted`, a function of the page. */
export async function firstError(target, wanted = () => true) {
  const find = `heard.errors.find(${wanted})`;
  await target.waitForFunction(find, { polling: 50, timeout: 30_000 });
  return target.evaluate(find);
}

/** Waits for the panel of an element with `settings-open`. */
export const settingsShown = (page) =>
  page.waitForFunction(() => {
    const element = document.querySelector('[settings-open]');
    return !element || element.shadowRoot?.querySelector('.panel');
  });

/** Runs `check` while the page is light, then dark. */
export async function inBothSchemes(page, check) {
  for (const scheme of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await check(scheme);
  }
}
