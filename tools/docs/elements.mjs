// A page for each element out of custom-elements.json: what it is, the element itself, and all that a page may use of it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { elementsOf, isState } from '../manifest.mjs';
import { root } from '../setup.mjs';
import { html, table } from './html.mjs';

const manifest = () => JSON.parse(readFileSync(path.join(root, 'custom-elements.json'), 'utf8'));

/** What the live element of a page shows. */
const shown = {
  pupil: { src: 'media/sample.webm', controls: '', method: 'robust' },
  face: { src: 'media/portrait.png', controls: '' },
  filter: { src: 'media/photographer.png', controls: '', operation: 'canny' },
  track: { scene: '', controls: '' },
  vessels: { src: 'media/fundus.jpg', controls: '' },
  'pupil-test': { src: 'media/sample.webm' },
};

/** [{ tagName, short, description, url, shown, attributes, states, properties, methods, events, slots, parts, ... }] */
export function readElements() {
  const text = manifest();
  const declarations = new Map(text.modules.flatMap(({ declarations: all }) => all.map((one) => [one.tagName, one])));
  return elementsOf(text).map(({ tagName, short, description, attributes, properties, events }) => {
    const { members, slots = [], cssParts = [], cssProperties = [], ...declared } = declarations.get(tagName);
    return {
      ...{ tagName, short, description, attributes, properties, events, slots, cssParts, cssProperties },
      states: declared.attributes.filter(isState),
      readable: members.filter(({ kind, readonly }) => kind === 'field' && readonly),
      methods: members.filter(({ kind }) => kind === 'method'),
      url: `elements/${short}.html`,
      shown: shown[short],
    };
  });
}

/** What an element fetches when it starts, beside its pictures. */
const fetchedBy = (short) => [
  `foveola-${short}.cdn.js`,
  `foveola-${short}.kernels.js`,
  ...(short === 'vessels' ? ['vessel-search.js'] : []),
  ...(short === 'face'
    ? [
        ...['face-search.js', 'extras.js'],
        ...['frontalface_alt', 'frontalface_alt2', 'face-judge', 'landmarks-network'].map(
          (name) => `models/${name}.bin`,
        ),
      ]
    : []),
];
const sizes = new Map();
const compressed = (file) => {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(path.join(root, 'dist', file))).length);
  return sizes.get(file);
};
const kilobytes = (short) => fetchedBy(short).reduce((sum, file) => sum + compressed(file), 0) / 1000;

/** A live element, which starts when the reader asks for it. */
export function live(short, attributes) {
  const tag = `foveola-${short}`;
  const size = kilobytes(short);
  const words = size > 1000 ? `${(size / 1000).toFixed(1)} MB` : `${size.toFixed(0)} kB`;
  return html`<div class="live" data-tag="${tag}" data-attributes="${JSON.stringify(attributes)}">
    <button type="button" hidden>Start <code>&lt;${tag}&gt;</code></button>
    <p>The element runs here when you press the button: ${words} are fetched (gzip), and nothing is uploaded.</p>
  </div>`;
}

const code = (text) => html`<code>${text}</code>`;
const signature = ({ name, parameters = [], return: result }) =>
  `${name}(${parameters.map((p) => `${p.name}${p.optional ? '?' : ''}${p.type ? `: ${p.type.text}` : ''}`).join(', ')})${
    result ? `: ${result.type.text}` : ''
  }`;

/** The body of an element's page; `markdown` renders the inline marks of descriptions. */
export function elementPage(element, markdown) {
  const { tagName, short, description } = element;
  const said = ({ description: text }) => markdown(text ?? '');
  const typed = ({ type }) => (type ? code(type.text) : '');
  const unset = ({ default: value }) => (value === undefined ? '' : code(value));
  const part = (title, head, rows) =>
    rows.length
      ? html`<h2 id="${title.toLowerCase().replaceAll(' ', '-')}">${title}</h2>
          ${table(head, rows, title)}`
      : '';
  return html`<h1><code>&lt;${tagName}&gt;</code></h1>
    <p>${markdown(description)}</p>
    ${live(short, element.shown)}
    <h2 id="in-a-page">In a page</h2>
    <pre tabindex="0" aria-label="Code"><code>&lt;script src="foveola-${short}.cdn.js"&gt;&lt;/script&gt;
&lt;${tagName}${attributesText(element.shown)}&gt;&lt;/${tagName}&gt;</code></pre>
    <p>
      With a bundler: <code>import 'foveola/elements/${short}.js'</code>. See
      <a href="../embedding.html">Install and embed</a>.
    </p>
    ${part(
      'Attributes',
      ['attribute', 'type', 'default', 'what'],
      element.attributes.map((one) => [code(one.name), typed(one), unset(one), said(one)]),
    )}
    ${part(
      'Properties',
      ['property', 'type', 'default', 'what'],
      element.properties.map((one) => [code(one.name), typed(one), unset(one), said(one)]),
    )}
    ${part(
      'Read only',
      ['property', 'type', 'what'],
      element.readable.map((one) => [code(one.name), typed(one), said(one)]),
    )}
    ${part(
      'Methods',
      ['method', 'what'],
      element.methods.map((one) => [code(signature(one)), said(one)]),
    )}
    ${part(
      'Events',
      ['event', 'type', 'when'],
      element.events.map((one) => [code(one.name), typed(one), said(one)]),
    )}
    ${part(
      'State attributes',
      ['attribute', 'what'],
      element.states.map((one) => [code(one.name), said(one)]),
    )}
    ${part(
      'Slots',
      ['slot', 'what'],
      element.slots.map((one) => [code(one.name || '(default)'), said(one)]),
    )}
    ${part(
      'CSS parts',
      ['part', 'what'],
      element.cssParts.map((one) => [code(one.name), said(one)]),
    )}
    ${part(
      'Custom properties',
      ['property', 'default', 'what'],
      element.cssProperties.map((one) => [code(one.name), unset(one), said(one)]),
    )}`;
}

const attributesText = (attributes) =>
  Object.entries(attributes)
    .filter(([name]) => name !== 'scene')
    .map(([name, value]) => (value === '' ? ` ${name}` : ` ${name}="${value.replace('media/', '')}"`))
    .join('');
