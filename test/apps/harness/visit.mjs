// Opens a project's page as a person would, waits for pupils, and notes everything that went wrong on the way.

/* global window, foveolaSeen */

const limit = 120_000;
const grace = 15_000; // after an exception or a missing file

// The event does not bubble, but a listener in the capture phase of the window sees it.
const watch = () => {
  window.foveolaSeen = { results: 0, found: 0, errors: [] };
  window.addEventListener(
    'foveola-error',
    ({ detail }) => foveolaSeen.errors.push(`${detail.code}: ${detail.message}`),
    true,
  );
  window.addEventListener(
    'foveola-result',
    ({ detail }) => {
      foveolaSeen.results++;
      if (detail.pupils?.[0]?.found) foveolaSeen.found++;
    },
    true,
  );
};

const isIcon = (url) => /\/favicon\.ico$/.test(url ?? ''); // browsers ask for one by themselves

function noteProblems(page, origin, problems) {
  const note = (text) => {
    const short = text.slice(0, 600);
    if (!problems.includes(short)) problems.push(short);
  };
  page.on('pageerror', (error) => note(`exception: ${error?.message ?? error}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isIcon(message.location()?.url)) note(`console: ${message.text()}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // A video element drops requests half-way when it has enough.
    if (reason !== 'net::ERR_ABORTED' || request.resourceType() !== 'media')
      note(`request: ${request.url()} ${reason}`);
  });
  const judge = (url, status, type, kind) => {
    if (isIcon(url) || /^(blob|data):/.test(url)) return;
    if (new URL(url).origin !== origin) note(`asked another origin: ${url}`);
    if (status >= 400) note(`${status}: ${url}`);
    else if (/\.(wasm|bin)\b/.test(url) && /html/.test(type)) note(`a page in place of a file (${kind}): ${url}`);
  };
  page.on('response', (response) =>
    judge(
      response.url(),
      response.status(),
      response.headers()['content-type'] ?? '',
      response.request().resourceType(),
    ),
  );
  // What a worker asks for is reported by its own session.
  page.on('workercreated', ({ client }) => {
    client.on('Network.responseReceived', ({ response, type }) =>
      judge(response.url, response.status, response.mimeType, type),
    );
    client.send('Network.enable').catch(() => {}); // it may have ended already
  });
}

/** Until pupils were found and each <output> of the page says so (or what else it waits for), or this cannot be any more. */
async function waitForPupils(page, problems) {
  const done = () => {
    const outputs = [...document.querySelectorAll('output')].map((output) => output.textContent.trim());
    const heard = outputs.length > 0 && outputs.every((text) => !text.startsWith('no '));
    return foveolaSeen.errors.length > 0 || (foveolaSeen.found >= 3 && heard);
  };
  const until = Date.now() + limit;
  let broken = 0;
  while (!(await page.evaluate(done))) {
    if (problems.some((text) => /^(exception|404)/.test(text))) broken ||= Date.now();
    const late = Date.now() > until;
    if (late || (broken && Date.now() > broken + grace)) {
      const outputs = await page.$$eval('output', (list) => list.map((output) => output.textContent.trim()));
      const { results, found } = await page.evaluate(() => foveolaSeen);
      const state = `${found} pupils in ${results} frames, the page says ${JSON.stringify(outputs)}`;
      problems.push(`${late ? 'gave up' : 'gave up after that'}: ${state}`);
      return;
    }
    await new Promise((next) => setTimeout(next, 100));
  }
}

/** Resolves to { results, found, heard, capabilities, problems }: what the page has shown, and what was wrong with it. */
export async function visit(browser, url) {
  const page = await browser.newPage();
  const problems = [];
  try {
    noteProblems(page, new URL(url).origin, problems);
    await page.evaluateOnNewDocument(watch);
    await page.goto(url, { waitUntil: 'load', timeout: limit });
    await waitForPupils(page, problems);
    const seen = await page.evaluate(() => foveolaSeen);
    const heard = await page.evaluate(() => document.querySelector('output')?.textContent.trim() ?? null); // the others were waited for
    const capabilities = await page.evaluate(() => {
      const late = new Promise((done) => setTimeout(done, 5000, null));
      return Promise.race([
        document.querySelector('foveola-pupil')?.ready?.catch((error) => ({ error: error.message })),
        late,
      ]);
    });
    problems.unshift(...seen.errors.map((text) => `foveola-error: ${text}`));
    return { ...seen, heard, capabilities: capabilities ?? null, problems };
  } finally {
    await page.close();
  }
}
