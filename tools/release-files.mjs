// The files of a release, in build/release. `pack FOLDER` packs a package. `notes` writes the notes with the script sizes,
// the models and the results of the checks (JSON on the standard input), and the bill of materials.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { npmCommand, root } from './setup.mjs';

const at = (...parts) => path.join(root, ...parts);
const read = (file) => readFileSync(at(file), 'utf8');
const json = (file) => JSON.parse(read(file));
const into = at('build/release');

function npm(...args) {
  const { program, before, shell } = npmCommand();
  return execFileSync(program, [...before, ...args], { cwd: root, shell, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'inherit'] }); // prettier-ignore
}

/** The model cards: rows of the table in docs/model-cards.md. [{ name, size, hash, data, license, seed }] */
export function modelCards(text = read('docs/model-cards.md')) {
  const rows = text.match(/^\| `[\w-]+` \|.*`[\da-f]{64}`.*\|$/gm) ?? [];
  return rows.map((row) => {
    const [name, size, hash, data, license, seed] = row.slice(2, -2).split(' | ').map((cell) => cell.trim().replaceAll('`', '')); // prettier-ignore
    return { name, size: Number(size.replaceAll(',', '')), hash, data, license, seed };
  });
}

/** The address of a version's model, which never changes. */
export const modelAddress = (version, name) =>
  `https://cdn.jsdelivr.net/npm/foveola@${version}/dist/models/${name}.bin`;

/**
 * npm's bill of materials with what a user of the package gets: its dependencies, the packages whose code is in its files
 * (`bundled`, as name@version), and the models.
 */
export function billOfMaterials(sbom, bundled, models) {
  const byRef = new Map(sbom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const all = new Map(sbom.components.map((one) => [one['bom-ref'], one]));
  const isDevelopment = ({ properties = [] }) => properties.some(({ name }) => name === 'cdx:npm:package:development');
  const isOptionalPeer = ({ scope }) => scope === 'optional';
  const kept = new Set(bundled);
  const visit = (ref) => {
    for (const next of byRef.get(ref) ?? []) {
      const one = all.get(next);
      if (!one || kept.has(next) || isDevelopment(one) || isOptionalPeer(one)) continue;
      kept.add(next);
      visit(next);
    }
  };
  visit(sbom.metadata.component['bom-ref']);
  const components = [...all].filter(([ref]) => kept.has(ref)).map(([, { properties: _, scope: __, ...one }]) => one);
  const learned = models.map(({ name, hash, license }) => ({
    ...{ 'bom-ref': `model:${name}`, type: 'machine-learning-model', name },
    hashes: [{ alg: 'SHA-256', content: hash }],
    licenses: [{ license: { name: license } }],
  }));
  const own = sbom.metadata.component['bom-ref'];
  const contained = [...kept, ...learned.map((one) => one['bom-ref'])];
  const dependencies = [
    { ref: own, dependsOn: contained },
    ...sbom.dependencies.filter(({ ref }) => kept.has(ref)).map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) })), // prettier-ignore
  ];
  const component = { ...sbom.metadata.component, name: 'foveola' }; // npm writes the name of the folder
  return { ...sbom, metadata: { ...sbom.metadata, component }, components: [...components, ...learned], dependencies };
}

const table = (head, rows) => [head, head.map((_, i) => (i ? '--:' : '---')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n'); // prettier-ignore
const kilobytes = (bytes) => (bytes / 1000).toFixed(1);

/** Text of a version in the changelog. */
export const changesOf = (changelog, version) =>
  changelog.split(/^## /m).find((text) => text.startsWith(`${version} `))?.replace(/^.*\n/, '').trim() ?? ''; // prettier-ignore

function interfaceSection({ removed, added }) {
  const names = (lines) => [...new Set(lines.map(({ owner }) => `\`${owner}\``))].join(', ') || 'none';
  return `
## Public interface since the version before

- With removed or changed lines: ${names(removed)}
- With new or changed lines: ${names(added)}
`;
}

/** @param facts { version, changelog, sizes, budgets, models, results: [[command, result]], changes: { removed, added } or null } */
export function releaseNotes({ version, changelog, sizes, budgets, models, results, changes }) {
  return `${changesOf(changelog, version).replaceAll('\n### ', '\n## ').replace(/^### /, '## ')}
${changes ? interfaceSection(changes) : ''}
## Size of the scripts

${table(
  ['Script', 'kB gzipped', 'budget'],
  Object.entries(sizes).map(([file, size]) => [file, kilobytes(size), kilobytes(budgets[file])]),
)}

## Checks

${table(
  ['Command', 'Result'],
  results.map(([command, result]) => [`\`${command}\``, result]),
)}

Node ${process.versions.node}, ${process.platform} ${process.arch}.

## Models

${table(
  ['Model', 'bytes', 'SHA-256'],
  models.map(({ name, size, hash }) => [`[${name}](${modelAddress(version, name)})`, size, hash]),
)}

\`sbom.cdx.json\` is the bill of materials (CycloneDX). \`sri.json\` has the hashes for \`integrity\` attributes.

For research use. Not a medical device.
`;
}

async function writeNotes(facts) {
  const { cdnBudgets, checkBudgets } = await import('./build.mjs');
  const { version } = json('package.json');
  const models = modelCards();
  const bundled = [...json('dist/.bundled.json'), ...json('dist/.bundled-wrappers.json')].map(
    (name) => `${name}@${json(`node_modules/${name}/package.json`).version}`,
  );
  const sbom = JSON.parse(npm('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'));
  const notes = releaseNotes({ version, changelog: read('CHANGELOG.md'), sizes: checkBudgets(), budgets: cdnBudgets, models, ...facts }); // prettier-ignore
  writeFileSync(
    path.join(into, 'sbom.cdx.json'),
    `${JSON.stringify(billOfMaterials(sbom, bundled, models), null, 2)}\n`,
  );
  writeFileSync(path.join(into, 'notes.md'), notes);
  copyFileSync(at('dist/sri.json'), path.join(into, 'sri.json'));
}

export const hashOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , task, folder] = process.argv;
  mkdirSync(into, { recursive: true });
  if (task === 'pack')
    console.log(npm('pack', `./${folder}`, '--json', '--ignore-scripts', '--pack-destination', into));
  else await writeNotes(JSON.parse(readFileSync(0, 'utf8')));
}
