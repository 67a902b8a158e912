// What runs in the page while elements are fuzzed: deeds on one element, then whether it still works.

/* global document, self, ImageData, File, Blob */

export const elementPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>fuzz</title>
  <script src="/dist/foveola.cdn.js"></script></head><body></body></html>`;

/** Values that deeds name: of wrong types, of wrong sizes, and good ones. */
export const valueNames = [
  ...[
    'undefined',
    'null',
    'true',
    'false',
    'NaN',
    'Infinity',
    '-Infinity',
    '0',
    '-0',
    '-1',
    '0.5',
    '3',
    '1e9',
    '-1e308',
  ],
  ...['empty', 'space', 'word', 'long', 'html', 'markup', 'json', 'nul', 'surrogate', 'proto', 'bigint', 'symbol'],
  ...['object', 'array', 'nested', 'circular', 'bare', 'function', 'date', 'element', 'box', 'frozen', 'throws'],
  ...['gray', 'color', 'picture', 'text', 'files', 'tiny', 'hollow', 'video', 'gone', 'canny', 'starburst', '2'],
];

/** Before all: what happens in the page that nobody asked for. */
export function watchPage() {
  self.uncaught = [];
  const note = (error) => self.uncaught.push(String(error?.stack ?? error));
  self.addEventListener('error', ({ error, message }) => note(error ?? message));
  self.addEventListener('unhandledrejection', ({ reason }) => note(reason));
}

/** Carries out the deeds; gives what went wrong, or null. */
export async function playDeeds({ tag, deeds, defaults, attributes }) {
  const gray = (width, height) => ({
    width,
    height,
    data: Uint8Array.from({ length: width * height }, (_, i) => {
      const away = Math.hypot((i % width) - width / 2, i / width - height / 2);
      return away < height / 5 ? 20 : 120 + (i % 7);
    }),
  });
  const circular = {};
  circular.self = circular;
  const made = {
    empty: '',
    space: ' ',
    word: 'no-such-thing',
    long: 'x'.repeat(100_000),
    html: '<img src=x onerror="alert(1)">',
    markup: '"><script>alert(1)</script>',
    json: '{"sigma":1e400,"__proto__":{"x":1}}',
    nul: 'a\u0000b',
    surrogate: '\ud800',
    proto: '__proto__',
    bigint: 10n ** 30n,
    symbol: Symbol('fuzz'),
    object: {},
    array: [1, -1, NaN],
    nested: { settings: { eyes: [[]] }, length: -1 },
    circular,
    bare: Object.create(null),
    function: () => {},
    date: new Date(NaN),
    element: document.createElement('canvas'),
    box: { x: 4, y: 4, width: 20, height: 20 },
    frozen: Object.freeze({ width: 4 }),
    throws: {
      get width() {
        throw new TypeError('as asked for');
      },
    },
    gray: gray(64, 48),
    color: new ImageData(33, 17),
    picture: '/test/media/portrait.png',
    video: '/demo/media/sample.webm',
    gone: '/no-such-file.png',
    text: new Blob(['no picture']),
    files: [new File(['no picture'], 'a.png'), new File([], '.csv')],
    tiny: { width: 1, height: 1, data: new Uint8Array(1) },
    hollow: { width: 4, height: 4, data: new Uint8Array(3) },
  };
  const words = { undefined, null: null, true: true, false: false, NaN, Infinity, '-Infinity': -Infinity };
  const valueOf = (name) =>
    name in made ? made[name] : name in words ? words[name] : isNaN(name) ? name : Number(name);

  const wrong = [];
  self.uncaught.length = 0;
  const { FoveolaError } = self.foveola;
  const judge = (error, where) => {
    if (error?.message === 'as asked for') return; // thrown by the value itself: it is the page's own
    if (!(error instanceof FoveolaError)) wrong.push(`${where}: ${String(error?.stack ?? error)}`);
    else if (error.code === 'internal') wrong.push(`${where}: internal: ${error.message}`);
  };
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const element = document.createElement(tag);
  element.addEventListener('foveola-error', ({ detail }) => judge(detail, 'foveola-error'));
  for (const { how, name, values } of deeds) {
    const where = `${how} ${name ?? ''}(${values.join(', ')})`;
    try {
      if (how === 'connect') document.body.append(element);
      else if (how === 'remove') element.remove();
      else if (how === 'wait') await pause(Number(values[0]) % 50);
      else if (how === 'unset') element.removeAttribute(name);
      else if (how === 'get') void Promise.resolve(element[name]).catch((error) => judge(error, where));
      else if (how === 'set') element[name] = valueOf(values[0]);
      else if (how === 'attribute') {
        const value = valueOf(values[0]);
        if (typeof value === 'symbol' || value === made.bare) continue; // the browser's own TypeError
        element.setAttribute(name, value);
      } else {
        const answer = element[name](...values.map((value) => valueOf(value)));
        void Promise.resolve(answer).catch((error) => judge(error, where));
      }
    } catch (error) {
      judge(error, where);
    }
  }
  await pause(20);

  // As new: it should do what a new one does.
  const restore = () => {
    for (const name of attributes) element.removeAttribute(name);
    for (const [name, value] of Object.entries(defaults)) element[name] = value;
  };
  try {
    element.remove();
    restore();
    if (tag === 'foveola-track') element.box = { x: 20, y: 12, width: 24, height: 24 };
    let heard = () => {};
    const result = new Promise((resolve) => (heard = resolve));
    element.source = gray(65, 49);
    element.addEventListener('foveola-result', ({ detail }) => detail.width === 65 && heard('result'));
    document.body.append(element);
    const how = await Promise.race([result, pause(8_000)]);
    if (how !== 'result')
      wrong.push(
        `gives no result of a good picture: ${element.state}, ${element.error?.code}: ${element.error?.message}`,
      );
  } catch (error) {
    wrong.push(`as new: ${String(error?.stack ?? error)}`);
  }
  element.remove();
  await pause(20);
  return [...wrong, ...self.uncaught.map((text) => `uncaught: ${text}`)][0] ?? null;
}
