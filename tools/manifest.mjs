// custom-elements.json: what the analyzer finds in widget/, cut down to what a page may use. Public members only, with the
// types that they have in this element, and the paths of shipped files. Editors read it, and the types and wrappers of
// the frameworks are made from it.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import path from 'node:path';
import { writeWhole } from './fingerprint.mjs';
import { root } from './setup.mjs';

const run = promisify(execFile);
const at = (...parts) => path.join(root, ...parts);

async function analyze() {
  const cem = at('node_modules/@custom-elements-manifest/analyzer/cem.js');
  await run(process.execPath, [cem, 'analyze', '--config', 'tools/manifest.config.mjs'], { cwd: root });
  return JSON.parse(readFileSync(at('build/manifest/custom-elements.json'), 'utf8'));
}

/** The class and those that it extends, as far as they are ours. */
function chainOf(name, classes) {
  const chain = [];
  for (let own = classes.get(name); own; own = classes.get(own.superclass?.name)) chain.push(own);
  return chain;
}

const isPublic = (member) =>
  !member.static && !['private', 'protected'].includes(member.privacy) && !member.name.startsWith('#');

// Lit's own, which every LitElement has.
const ofLit = new Set(['connectedCallback', 'disconnectedCallback', 'attributeChangedCallback', 'render', 'updated']);

/** Each public member once: as the class nearest to the element has it, with the description that is nearest. */
function membersOf(chain, typeOf) {
  const internal = new Set();
  const members = new Map();
  for (const { members: own = [], name: of } of chain)
    for (const member of own) {
      if (member.inheritedFrom) continue;
      if (!isPublic(member)) internal.add(`${of}.${member.name}`);
      else if (ofLit.has(member.name)) continue;
      else if (!members.has(member.name)) members.set(member.name, member);
      else {
        const nearest = members.get(member.name);
        for (const key of ['description', 'type', 'return', 'attribute']) nearest[key] ??= member[key];
      }
    }
  return [...members.values()].map((member) => {
    const { kind, name, description, readonly, attribute, reflects } = member;
    const shared = { kind, name, ...(description && { description: description.trim() }) };
    if (kind === 'method') {
      const parameters = member.parameters?.map((parameter) => ({
        name: parameter.name,
        ...(parameter.type && { type: { text: typeOf(parameter.type.text) } }),
        ...(parameter.optional || parameter.default ? { optional: true } : {}),
      }));
      const result = member.return?.type?.text;
      return {
        ...shared,
        ...(parameters && { parameters }),
        ...(result && { return: { type: { text: typeOf(result) } } }),
      };
    }
    return {
      ...shared,
      ...(member.type && { type: { text: typeOf(member.type.text) } }),
      ...(member.default !== undefined && { default: member.default }),
      ...(readonly && { readonly }),
      ...(attribute && { attribute }),
      ...(reflects && { reflects }),
    };
  });
}

/** Attributes that tell of a state are set by the element; their descriptions begin so. */
export const isState = ({ description = '' }) => description.startsWith('State:');

function elementOf(declaration, classes) {
  const { kind, name, description, tagName, events = [], attributes = [] } = declaration;
  const named = events.filter((event) => event.name);
  // R is what its `foveola-result` brings.
  const result = /^CustomEvent<(\w+)>$/.exec(named.find((event) => event.name === 'foveola-result').type.text)[1];
  const members = membersOf(chainOf(name, classes), (text) => text.replace(/\bR\b/g, result));
  const property = new Map(members.map((member) => [member.name, member]));
  const attribute = ({ name: of, type, description: text, fieldName, default: value }) => {
    const known = property.get(fieldName ?? of);
    return {
      name: of,
      ...(text && { description: text.trim() }),
      ...(type && { type }),
      ...(value !== undefined && { default: value }),
      ...(known && { fieldName: known.name }),
    };
  };
  const { slots, cssParts, cssProperties } = declaration;
  return {
    kind,
    customElement: true,
    tagName,
    name,
    description,
    superclass: { name: 'LitElement', package: 'lit' },
    attributes: attributes.map(attribute),
    members,
    events: named.map(({ name: of, type, description: text }) => ({ name: of, type, description: text })),
    ...{ slots, cssParts, cssProperties },
  };
}

/** The manifest of the package, out of the analyzer's. */
export function publicManifest(analyzed) {
  const declarations = analyzed.modules.flatMap((module) =>
    (module.declarations ?? []).map((declaration) => ({ ...declaration, module: module.path })),
  );
  const classes = new Map(declarations.filter(({ kind }) => kind === 'class').map((one) => [one.name, one]));
  const elements = declarations
    .filter(({ tagName, module }) => tagName && module.endsWith('.component.ts'))
    .sort((a, b) => (a.tagName < b.tagName ? -1 : 1));
  const modules = elements.flatMap((declaration) => {
    const file = declaration.module.replace(/^widget\/[\w-]+\//, 'dist/elements/').replace(/\.ts$/, '.js');
    const registration = file.replace('.component.js', '.js');
    const { name, tagName } = declaration;
    const reference = { name, module: file };
    return [
      {
        kind: 'javascript-module',
        path: file,
        declarations: [elementOf(declaration, classes)],
        exports: [{ kind: 'js', name, declaration: reference }],
      },
      {
        kind: 'javascript-module',
        path: registration,
        declarations: [],
        exports: [
          { kind: 'custom-element-definition', name: tagName, declaration: reference },
          { kind: 'js', name, declaration: reference },
        ],
      },
    ];
  });
  return { schemaVersion: '2.1.0', readme: 'README.md', modules };
}

/** What the generators of this folder need: each element with its class, its settable properties and its events. */
export function elementsOf(manifest) {
  return manifest.modules
    .flatMap(({ declarations }) => declarations)
    .map((declaration) => {
      const { name, tagName, description, attributes, members, events } = declaration;
      return {
        ...{ name, tagName, events },
        short: tagName.replace(/^foveola-/, ''),
        description: description.split('\n\n')[0].replaceAll('\n', ' '),
        properties: members.filter(({ kind, readonly }) => kind === 'field' && !readonly),
        attributes: attributes.filter((attribute) => !isState(attribute)),
      };
    });
}

/** Writes custom-elements.json, beside package.json, where editors look for it. */
export async function buildManifest() {
  const manifest = publicManifest(await analyze());
  writeWhole(at('custom-elements.json'), `${JSON.stringify(manifest)}\n`);
  return manifest;
}
