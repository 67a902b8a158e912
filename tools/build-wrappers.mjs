// foveola/react and foveola/vue: a component for each element, made from the manifest. Beside them the tags' types of the
// frameworks (tools/framework-types.mjs).
//
// React: @lit/react, of the people who make Lit. React 19 alone sets properties and listens to events of elements, but
// not those of a page that came from a server, and React 18 not at all. It is bundled (1 kB): as a dependency it would
// bring React's types to everybody. Vue: a functional component; what it needs is in Vue.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { filesBelow, writeWhole } from './fingerprint.mjs';
import { frameworkTypes, handlerName } from './framework-types.mjs';
import { buildManifest, elementsOf } from './manifest.mjs';
import { root } from './setup.mjs';

const at = (...parts) => path.join(root, ...parts);
const head = '// Made from custom-elements.json by tools/build-wrappers.mjs.\n';

const reactModule = ({ name, tagName, short, events }) => `${head}import * as React from 'react';
import { ${name} as elementClass } from '../elements/${short}.js';
import { createComponent } from './create.js';

export const ${name} = /*#__PURE__*/ createComponent({
  react: React,
  tagName: '${tagName}',
  elementClass,
  displayName: '${name}',
  events: {
${events.map((event) => `    ${handlerName(event.name)}: '${event.name}',\n`).join('')}  },
});
`;

const reactTypes = ({ name, short, description }) =>
  `${head}import type { ForwardRefExoticComponent, HTMLAttributes, RefAttributes } from 'react';
import type { ${name} as Element } from '../elements/${short}.js';
import type { ${name}Events, ${name}Props as OwnProps, Handlers } from '../types/props.js';

export type ${name}Props = Omit<HTMLAttributes<Element>, keyof OwnProps> & OwnProps & Handlers<${name}Events>;

/** ${description} A ref to it is one to the element. */
export declare const ${name}: ForwardRefExoticComponent<${name}Props & RefAttributes<Element>>;
/** The element, for refs. */
export type ${name} = Element;
`;

// Vue makes true of a boolean's bare attribute only where it knows that it is one.
const vueType = (property) => (property.type?.text === 'boolean' ? 'Boolean' : 'null');

const vueModule = ({ name, tagName, short, properties }) => `${head}import '../elements/${short}.js';
import { component } from './component.js';

export const ${name} = /*#__PURE__*/ component('${tagName}', '${name}', {
${properties.map((property) => `  ${property.name}: ${vueType(property)},\n`).join('')}});
`;

const vueTypes = ({
  name,
  short,
  description,
}) => `${head}import type { FunctionalComponent, HTMLAttributes, PublicProps, VNode } from 'vue';
import type { ${name} as Element } from '../elements/${short}.js';
import type { ${name}Events, ${name}Props as OwnProps, Handlers } from '../types/props.js';

export type ${name}Props = Omit<HTMLAttributes, keyof OwnProps> &
  OwnProps &
  Handlers<${name}Events> &
  PublicProps & { for?: string };

/** ${description} A template ref to it is one to the element. */
export declare const ${name}: FunctionalComponent<${name}Props, {}, { default?: () => VNode[] }>;
/** The element, for refs. */
export type ${name} = Element;
`;

const vueShared = `${head}import { h } from 'vue';

/** A component that sets the properties of its element; listeners, class, style and slots go through to it. */
export function component(tag, displayName, properties) {
  const names = Object.keys(properties);
  const wrapper = (props, { slots }) => {
    const given = {};
    for (const name of names) given['.' + name] = props[name];
    return h(tag, given, slots.default?.());
  };
  wrapper.displayName = displayName;
  wrapper.props = Object.fromEntries(names.map((name) => [name, { type: properties[name], default: undefined }]));
  return wrapper;
}
`;

/** @lit/react in one small file, with the license in its head. */
async function litReact() {
  const { outputFiles, metafile } = await build({
    stdin: { contents: "export { createComponent } from '@lit/react';", resolveDir: root },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['browser', 'production'], // its build for servers only leaves out what React does not call there
    legalComments: 'inline',
    metafile: true,
    write: false,
  });
  return { code: outputFiles[0].text, bundled: Object.keys(metafile.inputs) };
}

/** Writes custom-elements.json, wrappers and tag types; `bundled` are the files of packages that are inside. */
export async function buildWrappers() {
  const manifest = await buildManifest();
  const elements = elementsOf(manifest);
  const { code, bundled } = await litReact();
  const index = (folder) => elements.map(({ short }) => `export * from './${folder}/${short}.js';\n`).join('');
  const files = { ...frameworkTypes(manifest), 'react/create.js': code, 'vue/component.js': vueShared };
  for (const [folder, module, types] of [
    ['react', reactModule, reactTypes],
    ['vue', vueModule, vueTypes],
  ]) {
    for (const element of elements) {
      files[`${folder}/${element.short}.js`] = module(element);
      files[`${folder}/${element.short}.d.ts`] = types(element);
    }
    files[`${folder}.js`] = files[`${folder}.d.ts`] = head + index(folder);
  }
  for (const old of filesBelow(at('dist'), ['react', 'vue'])) if (!(old in files)) rmSync(at('dist', old));
  for (const [file, text] of Object.entries(files)) writeWhole(at('dist', file), text);
  return { outputs: Object.keys(files).map((file) => `dist/${file}`), bundled };
}
