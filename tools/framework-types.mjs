// dist/types/{props,react,preact,vue,svelte}.d.ts: the elements as tags of the frameworks, made from the manifest. The
// types themselves are those of the classes; only names come from the manifest.
//
// Generators for this exist (custom-element-jsx-integration, -vuejs-, -svelte-). They copy the manifest's type texts,
// which name types that only our sources know, and give every event as CustomEvent without its detail; and each
// framework would be another package with templates of its own. So there are these few lines.
import { elementsOf } from './manifest.mjs';

const head = '// Made from custom-elements.json by tools/framework-types.mjs.\n';
const union = (names) => names.map((name) => `'${name}'`).join(' | ');
const doc = (text, indent = '  ') => (text ? `${indent}/** ${text.replace(/\s+/g, ' ').trim()} */\n` : '');
const simple = /^(string|number|boolean|null|undefined|'[^']*'|[\s|])+$/;

/** `onFoveolaResult` for `foveola-result`. */
export const handlerName = (event) => `on${event.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase())}`;

/** Attributes whose names are not those of properties; frameworks set them as attributes. `blur` is a method of HTML. */
const dashed = ({ name, fieldName }) => fieldName && name !== fieldName && (name.includes('-') || name === 'for');

function propsOf({ name, tagName, properties, attributes, events }) {
  // What is no text as a property (a box) may be given as the attribute's text as well.
  const texts = attributes.filter((one) => one.name === one.fieldName && !simple.test(one.type?.text ?? 'string'));
  const attributeLines = attributes.filter(dashed).map((one) => {
    const own = simple.test(one.type.text) ? one.type.text : `${name}['${one.fieldName}']`;
    const type = /number/.test(one.type.text) ? 'number | string' : own;
    return `${doc(one.description)}  '${one.name}'?: ${type} | undefined;\n`;
  });
  const picked = properties.filter((one) => !texts.some((text) => text.name === one.name)).map((one) => one.name);
  return (
    `/** Properties of \`<${tagName}>\` that a page sets. */\n` +
    `export interface ${name}Props extends Undefinable<Pick<${name}, ${union(picked)}>> {\n` +
    texts
      .map((one) => `${doc(one.description)}  ${one.name}?: ${name}['${one.name}'] | string | undefined;\n`)
      .join('') +
    '}\n\n' +
    `/** Attributes of \`<${tagName}>\` with names of their own. */\n` +
    `export interface ${name}Attributes {\n${attributeLines.join('')}}\n\n` +
    `export interface ${name}Events {\n` +
    events.map((one) => `${doc(one.description)}  '${one.name}': ${name}EventMap['${one.name}'];\n`).join('') +
    '}\n\n'
  );
}

function props(elements) {
  const imports = elements
    .map(({ name, short }) => `import type { ${name}, ${name}EventMap } from '../elements/${short}.component.js';\n`)
    .join('');
  return `${head}${imports}
type Undefinable<T> = { [K in keyof T]?: T[K] | undefined };

/** Listeners as properties: \`onfoveola-result\` for the prefix \`on\`. */
export type Listeners<Events, Prefix extends string> = {
  [Name in keyof Events & string as \`\${Prefix}\${Name}\`]?: ((event: Events[Name]) => void) | undefined;
};

/** Listeners as properties in camel case: \`onFoveolaResult\`. */
export type Handlers<Events> = {
  [Name in keyof Events & string as \`on\${Camel<Name>}\`]?: ((event: Events[Name]) => void) | undefined;
};
type Camel<Text extends string> = Text extends \`\${infer First}-\${infer Rest}\`
  ? \`\${Capitalize<First>}\${Camel<Rest>}\`
  : Capitalize<Text>;

${elements.map(propsOf).join('')}`;
}

const tags = (elements, type) =>
  elements
    .map(
      ({ name, tagName, description }) =>
        `${doc(description, '      ')}      '${tagName}': ${type}<${name}, ${name}Props & ${name}Attributes, ${name}Events>;\n`,
    )
    .join('');

const imported = (elements, more = '') => {
  const names = elements.flatMap(({ name }) => [`${name}Attributes`, `${name}Events`, `${name}Props`]);
  const classes = elements.map(
    ({ name, short }) => `import type { ${name} } from '../elements/${short}.component.js';\n`,
  );
  return `${classes.join('')}import type { ${names.join(', ')}${more} } from './props.js';\n`;
};

const react = (elements) => `${head}import type { HTMLAttributes, RefAttributes } from 'react';
${imported(elements, ', Listeners')}
type Tag<Element, Props, Events> = Omit<HTMLAttributes<Element>, keyof Props> &
  RefAttributes<Element> &
  Props &
  Listeners<Events, 'on'> & { class?: string | undefined };

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
${tags(elements, 'Tag')}    }
  }
}
`;

const preact = (elements) => `${head}import type { HTMLAttributes } from 'preact';
${imported(elements, ', Listeners')}
type Tag<Element extends EventTarget, Props, Events> = Omit<HTMLAttributes<Element>, keyof Props> &
  Props &
  Listeners<Events, 'on'>;

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
${tags(elements, 'Tag')}    }
  }
}
`;

const svelte = (elements) => `${head}import type { HTMLAttributes } from 'svelte/elements';
${imported(elements, ', Listeners')}
type Tag<Element extends EventTarget, Props, Events> = Omit<HTMLAttributes<Element>, keyof Props> &
  Props &
  Listeners<Events, 'on'> &
  Listeners<Events, 'on:'>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
${tags(elements, 'Tag').replace(/^ {2}/gm, '')}  }
}
`;

const vue = (elements) => `${head}import type { EmitFn, HTMLAttributes, PublicProps } from 'vue';
${imported(elements, ', Handlers')}
// The way that Vue's guide describes for custom elements.
type Emitted<Events> = EmitFn<{ [Name in keyof Events]: (event: Events[Name]) => void }>;
type Tag<Element, Props, Events> = new () => Element & {
  /** For templates; not a property of the element. */
  $props: Omit<HTMLAttributes, keyof Props> & Props & Handlers<Events> & PublicProps;
  /** For templates; not a property of the element. */
  $emit: Emitted<Events>;
};

declare module 'vue' {
  interface GlobalComponents {
${tags(elements, 'Tag').replace(/^ {2}/gm, '')}  }
}
`;

/** The files by name in dist/. Beside each declaration an empty module, for who imports it not only as a type. */
export function frameworkTypes(manifest) {
  const elements = elementsOf(manifest);
  const makers = { react, preact, vue, svelte };
  return Object.fromEntries([
    ['types/props.d.ts', props(elements)],
    ...Object.entries(makers).flatMap(([name, make]) => [
      [`types/${name}.d.ts`, make(elements)],
      [`types/${name}.js`, 'export {};\n'],
    ]),
  ]);
}
