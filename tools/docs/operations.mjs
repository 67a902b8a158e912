// The pages of operations: docs/operations/*.md, with the parameter tables of the engine.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { importTs } from '../import-ts.mjs';
import { root } from '../setup.mjs';
import { html, table } from './html.mjs';

const folder = 'docs/operations';
/** Groups of the menu and their pages, in the order in which one reads them. */
const groups = {
  'Image operations': ['gaussian', 'median', 'bilateral', 'erode', 'threshold', 'threshold-map', 'components', 'pyramid', 'integral'], // prettier-ignore
  'Edges and lines': ['canny', 'hough-lines', 'hough-circles'],
  'Motion and filling': ['flow-sparse', 'flow-dense', 'inpaint'],
  'Pupil methods': ['pupil-robust', 'pupil-starburst', 'pupil-threshold', 'pupil-hough'],
  'Retinal vessels': ['vessels', 'optic-disc', 'eigenvalues', 'ridge-feature', 'eigenvalue-features', 'vesselness'],
  'Faces and objects': ['faces', 'landmarks', 'face-tracker', 'object-tracker'],
};

/** `name: value` lines between two `---` at the top of a page. */
export function frontMatter(markdown) {
  const [, head = '', body = markdown] = /^---\n([^]*?)\n---\n([^]*)$/.exec(markdown) ?? [];
  const data = Object.fromEntries(head.split('\n').map((line) => /^(\w+): (.*)$/.exec(line)?.slice(1) ?? []));
  return { data, body };
}

/** What the page shows as its example: the first block of JavaScript. */
export const exampleOf = (body) => /^```js\n([^]*?)^```$/m.exec(body)?.[1] ?? null;

/** [{ file, name, title, group, operation, media, given, example, url }] in that order. */
export function readOperations() {
  const known = new Set(Object.values(groups).flat().map((name) => `${name}.md`)); // prettier-ignore
  const lost = readdirSync(path.join(root, folder)).filter((name) => !known.has(name));
  if (lost.length) throw new Error(`tools/docs/operations.mjs names no group for ${lost.join(', ')}.`);
  return Object.entries(groups).flatMap(([group, names]) =>
    names.map((name) => {
      const file = `${folder}/${name}.md`;
      const { data, body } = frontMatter(readFileSync(path.join(root, file), 'utf8'));
      const title = /^# (.*)$/m.exec(body)[1];
      return { file, name, title, group, ...data, example: exampleOf(body), url: `operations/${name}.html` };
    }),
  );
}

/** Parameter tables by the names of the engine's methods. */
export async function readParameters() {
  const { operations, trackerMethods } = await importTs('tools/docs/registry.ts');
  return new Map([...operations, ...trackerMethods].map(([name, { params, gives }]) => [name, { params, gives }]));
}

/** Without the digits of radians. */
const short = (value) => String(Number.isInteger(value) ? value : Number(value.toPrecision(4)));

const accepted = ({ type, values, min, max, integer, auto }) => {
  if (type === 'boolean') return 'true, false';
  const listed = values?.map((value) => (typeof value === 'string' ? `'${value}'` : value));
  const all = listed && (listed.length > 8 ? [...listed.slice(0, 3), '…', listed.at(-1)] : listed);
  const range = all ? all.join(', ') : `${short(min)} to ${short(max)}${integer ? ', whole' : ''}`;
  return auto === undefined ? range : `${range}, 'auto'`;
};

const unset = ({ type, default: value, auto }) => {
  if (auto !== undefined && value === auto) return "'auto'";
  if (type === 'choice') return `'${value}'`;
  return typeof value === 'number' ? short(value) : String(value);
};

/** The table of a method's parameters. */
export const parameterTable = (params, name) =>
  table(
    ['parameter', 'accepted', 'unit', 'default', 'effect'],
    Object.entries(params).map(([key, p]) => [
      html`<code>${key}</code>`,
      accepted(p),
      p.unit ?? '',
      unset(p),
      p.effect,
    ]),
    `Parameters of ${name}`,
  ) || html`<p>It has no parameters.</p>`;
