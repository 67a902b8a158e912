// What the site puts in the place of `<!-- site: word -->` in a page of docs/.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { benches } from '../../bench/run.mjs';
import { root } from '../setup.mjs';
import { said, unwrapped } from './api.mjs';
import { live } from './elements.mjs';
import { html, raw, table } from './html.mjs';
import { parameterTable } from './operations.mjs';

const card = ({ url, title, description }) =>
  html`<li>
    <a href="${url}"><b>${title}</b> <span>${description}</span></a>
  </li>`;

/** The first sentence of a page that is neither heading nor mark. */
const firstSentence = (text) => /^(.*?[.:])(\s|$)/.exec(text.replaceAll('\n', ' '))?.[1].replace(/:$/, '.') ?? text;

const picture = (page, { part, width, height, words }) =>
  html`<figure>
    <img src="pictures/${page.name}-${part}.webp" width="${width}" height="${height}" alt="${words}" loading="lazy" />
    <figcaption>${words}</figcaption>
  </figure>`;

/** The measuring part of demo/bench.html, whose script does the rest. */
function benchmark() {
  const page = readFileSync(path.join(root, 'demo/bench.html'), 'utf8');
  const [, body] = /(<div class="below">[^]*?)<\/main>/.exec(page);
  return body.replace('class="below"', 'class="bench-controls"').replace('<table ', '<div class="scroll"><table ').replace('</table>', '</table></div>'); // prettier-ignore
}

/** Signature, text and options of a member of the library. */
function memberBlock({ name, signatures, options, ...comment }, markdown) {
  const explained = options.filter(({ text }) => text);
  const rows = explained.map(({ name: option, type, text }) => [
    html`<code>${option}</code>`,
    html`<code>${type}</code>`,
    unwrapped(markdown(text)),
  ]);
  return html`<pre tabindex="0" aria-label="Signature of ${name}"><code>${signatures.join('\n')}</code></pre>
    ${said(comment, markdown)} ${rows.length ? table(['option', 'type', 'effect'], rows, `Options of ${name}`) : ''}`;
}

/**
 * @param site { elements, operations, parameters, pictures, members, paragraphs }
 *   members: of members.mjs; paragraphs(text, file): a doc comment as it is shown on the page of this file
 */
export const createBlocks = ({ elements, operations, parameters, pictures, members, paragraphs }) => ({
  live: (short) => live(short, elements.find((one) => one.short === short).shown),
  elements: () =>
    html`<ul class="cards">
      ${elements.map(({ tagName, url, description }) =>
        card({ url, title: `<${tagName}>`, description: firstSentence(description) }),
      )}
    </ul>`,
  operations: () =>
    [...new Set(operations.map(({ group }) => group))].map(
      (group) => html`<h3>${group}</h3><ul class="cards">${operations
        .filter((one) => one.group === group)
        .map(({ url, title, about }) => card({ url, title, description: about }))}</ul>`,
    ).join(''), // prettier-ignore
  member: (name, { from }) => memberBlock(members.member(name), (text) => paragraphs(text, from)),
  call: (_, { operation, from }) =>
    memberBlock({ ...members.member(`Engine.${operation}`), options: [] }, (text) => paragraphs(text, from)),
  calls: () =>
    table(
      ['method', 'page', 'in short'],
      operations
        .filter(({ operation }, i) => operations.findIndex((one) => one.operation === operation) === i)
        .map(({ operation, url, title, about }) => [
          html`<code>${operation}</code>`,
          html`<a href="${url}">${title}</a>`,
          about,
        ]),
      'Operations and trackers of the engine',
    ),
  picture(_, { name }) {
    const page = operations.find((one) => one.name === name);
    return html`<div class="pictures">${pictures.get(name).map((one) => picture(page, one))}</div>
      <p>The last picture is what the lines below gave when this page was built.</p>`;
  },
  parameters: (named, { operation }) => {
    const method = named || operation;
    return parameterTable(parameters.get(method).params, method);
  },
  filter: (operation, { media }) => live('filter', { src: `media/${media}`, controls: '', operation }),
  benchmark: () => raw(benchmark()),
  benches: () =>
    table(
      ['command', 'what it prints'],
      benches().map(({ name, about }) => [html`<code>npm run bench -- ${name}</code>`, about]),
      'Benchmarks',
    ),
});
