// The test files of a page (tools/test-pages.mjs): each is a suite with its path as the name, and its hooks are its own.
/* global Mocha, mocha */
const { suite: page } = mocha;
const parts = ['suites', 'tests', '_beforeAll', '_afterAll', '_beforeEach', '_afterEach'];

/** Moves the tests that a file has added to the page into a suite. */
function suiteOf(file, counts) {
  const added = parts.map((part, i) => page[part].splice(counts[i]));
  const suite = Mocha.Suite.create(page, file);
  for (const [i, part] of parts.entries())
    for (const one of added[i]) {
      one.parent = suite;
      if (part.startsWith('_')) one.ctx = suite.ctx;
      suite[part].push(one);
    }
  return suite;
}

const clear = () => {
  for (const element of [...document.body.children]) if (element.localName !== 'script') element.remove();
};

/**
 * @param files   paths below the root
 * @param address the page's, by which the server names the file in which a page ended
 */
export async function load(files, address) {
  for (const file of files) {
    const counts = parts.map((part) => page[part].length);
    const fault = await import(`/${file}`).then(
      () => null,
      (error) => error,
    );
    const suite = suiteOf(file, counts);
    const fail = (title, error) => suite.addTest(new Mocha.Test(title, () => Promise.reject(error)));
    if (fault) fail('loads', fault);
    else if (!suite.total()) fail('has tests', new Error('has no tests'));
    suite.beforeAll('the server hears of the file', () =>
      fetch(`/build/test-pages/now?${new URLSearchParams({ address, file })}`),
    );
    suite._beforeAll.unshift(suite._beforeAll.pop());
    suite.afterAll('elements go', clear);
  }
}
