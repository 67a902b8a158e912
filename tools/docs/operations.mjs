// The pages of operations: docs/operations/*.md, with the parameter tables of the engine.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { importTs } from '../import-ts.mjs';
import { root } from '../setup.mjs';
import { html, table } from './html.mjs';

const folder = 'docs/operations';
/** In the order of the menu. */
const groups = [
  'Image operations',
  'Edges and lines',
  'Motion and filling',
  'Pupil methods',
  'Retinal vessels',
  'Faces and objects',
];

/** `name: value` lines between two `---` at the top of a page. */
export function frontMatter(markdown) {
  const [, head = '', body = markdown] = /^---\n([^]*?)\n---\n([^]*)$/.exec(markdown) ?? [];
  const data = Object.fromEntries(head.split('\n').map((line) => /^(\w+): (.*)$/.exec(line)?.slice(1) ?? []));
  return { data, body };
}

/** What the page shows as its example: the first block of JavaScript. */
export const exampleOf = (body) => /^```js\n([^]*?)^```$/m.exec(body)?.[1] ?? null;

/** [{ file, name, title, group, operation, media, given, example, url }] in the order of their groups and names. */
export const readOperations = () =>
  readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => {
      const file = `${folder}/${name}`;
      const { data, body } = frontMatter(readFileSync(path.join(root, file), 'utf8'));
      const title = /^# (.*)$/m.exec(body)[1];
      const url = `operations/${name.replace('.md', '.html')}`;
      if (!groups.includes(data.group)) throw new Error(`${file}: there is no group '${data.group}'`);
      return { file, name: name.replace('.md', ''), title, ...data, example: exampleOf(body), url };
    })
    .sort((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group));

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
