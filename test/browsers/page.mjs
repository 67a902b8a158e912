// The pages of the browser tests: one element each, what it tells, and helpers that run in the page.
import { clip } from '../pages/element-support.mjs';

/**
 * The five elements: attributes, which drawn picture is the source (null: the clip), and in words what a result has.
 * `found` runs in the page.
 */
export const elements = {
  'foveola-pupil': { attributes: `src="${clip}" loop`, drawn: null, found: (result) => result.pupils[0].found },
  'foveola-face': { attributes: '', drawn: 'face', found: (result) => result.faces.length === 1 },
  'foveola-track': {
    attributes: `src="${clip}" box="250 150 140 140" loop`,
    drawn: null,
    found: (result) => result.box !== null,
  },
  'foveola-vessels': { attributes: '', drawn: 'fundus', found: (result) => result.fraction > 0.02 },
  'foveola-filter': { attributes: `operation="canny" src="${clip}" loop`, drawn: null, found: () => true },
};

/** In the page: what the element tells, waiting, and the drawn sources. */
export const script = `
window.heard = { results: [], errors: [], progress: [] };
addEventListener('error', ({ message }) => heard.errors.push(message));
addEventListener('unhandledrejection', ({ reason }) => heard.errors.push(String(reason)));
addEventListener('foveola-result', ({ detail }) => heard.results.push(detail), true);
addEventListener('foveola-error', ({ detail }) => heard.errors.push(detail.code + ': ' + detail.message), true);
addEventListener('foveola-progress', ({ detail }) => heard.progress.push(detail), true);

/** Resolves with what \`look\` gives as soon as that is true. */
window.until = async (look, what, limit = 60000) => {
  for (const end = performance.now() + limit; performance.now() < end; ) {
    const value = await look();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  throw new Error(what + ' within ' + limit + ' ms; heard: ' + JSON.stringify(heard.errors));
};

window.drawn = {
  async face() {
    const { drawFace, height, width } = await import('/demo/drawn-face.js');
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width, height });
    drawFace(canvas.getContext('2d'), 600);
    return canvas;
  },
  fundus: async () => (await import('/demo/fundus.js')).drawFundus(400, 400),
};

window.found = {
${Object.entries(elements)
  .map(([tag, { found }]) => `  '${tag}': ${found},`)
  .join('\n')}
};

/** The element with its source opened. */
window.opened = async (drawn) => {
  const element = document.querySelector('[data-tested]');
  await until(() => element.matches(':defined'), 'the element is not defined');
  if (drawn) element.source = await window.drawn[drawn]();
  await until(() => heard.results.length, 'no result');
  return element;
};
`;

export const pageOf = (tag, attributes = elements[tag].attributes, content = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>test</title>
   <style>body { margin: 0 } main { box-sizing: border-box; padding: 8px }
     [data-tested] { --foveola-max-height: 360px }</style>
   <script src="/page.js"></script>
   <script src="/dist/foveola.cdn.js" data-assets="/dist/"></script></head>
   <body><main><h1>Test</h1><${tag} data-tested controls ${attributes}>${content}</${tag}></main></body></html>`;

/**
 * A video of the page in a box that is turned, with a border of its own: sourceAt tells where its pixels are seen. `scale`
 * is CSS pixels a source pixel.
 */
export const turned = { left: 420, top: 90, angle: 30, scale: 0.5, border: 12 };

export function sourceAt(x, y, { left, top, angle, scale, border } = turned) {
  const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const [dx, dy] = [border + x * scale, border + y * scale];
  return [left + cos * dx - sin * dy, top + sin * dx + cos * dy];
}

const turnedPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>test</title>
  <style>body { margin: 0; overflow: hidden }
    #box { position: absolute; left: ${turned.left}px; top: ${turned.top}px; transform-origin: 0 0;
      transform: rotate(${turned.angle}deg) }
    video { display: block; box-sizing: content-box; width: ${640 * turned.scale}px; height: ${480 * turned.scale}px;
      border: ${turned.border}px solid #888 }
    main { width: 300px }</style>
  <script src="/page.js"></script>
  <script src="/dist/foveola.cdn.js" data-assets="/dist/" defer></script></head>
  <body><main><foveola-pupil data-tested for="eye"></foveola-pupil></main>
    <div id="box"><video id="eye" src="${clip}" muted autoplay loop playsinline></video></div></body></html>`;

/** The routes of a server for these pages. */
export const routes = () => ({
  '/page.js': script,
  '/turned.html': turnedPage,
  '/slotted.html': pageOf('foveola-pupil', '', `<video slot="media" src="${clip}" muted autoplay loop></video>`),
  ...Object.fromEntries(Object.keys(elements).map((tag) => [`/${tag}.html`, pageOf(tag)])),
});
