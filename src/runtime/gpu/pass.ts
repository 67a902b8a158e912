/**
 * Pass: one shader with its declaration. The declaration is compared with the shader's text when the module loads, so a
 * misspelled uniform fails immediately and on every machine. Every draw then refuses an argument that is missing,
 * unknown or of the wrong kind. WebGL itself would report nothing.
 */
import { FoveolaError } from '../error.ts';
import type { TexelKind } from './gpu-formats.ts';

type Scalar = 'int' | 'uint' | 'float';
type Vector =
  'vec2' | 'vec3' | 'vec4' | 'ivec2' | 'ivec3' | 'ivec4' | 'uvec2' | 'uvec3' | 'uvec4' | 'mat2' | 'mat3' | 'mat4';
/** A GLSL type. Arrays are written as 'float[32]'. */
export type UniformType = Scalar | Vector | `${Scalar | Vector}[${number}]`;
export type UniformValue<T extends UniformType> = T extends Scalar ? number : ArrayLike<number>;
export type UniformTable = Readonly<Record<string, UniformType>>;
export type UniformValues<U extends UniformTable> = { readonly [K in keyof U]: UniformValue<U[K]> };

export type Blend = 'add' | 'min' | 'max';

export interface PassDeclaration<T extends string, U extends UniformTable> {
  readonly name: string;
  /** Text of the .frag file, without #version and precision. The header is added before it. */
  readonly fragment: string;
  /** Names of the samplers. */
  readonly textures: readonly T[];
  readonly uniforms: U;
  /** Names of the outputs by location. */
  readonly outputs: readonly string[];
  /** A vertex shader over gl_VertexID instead of the full-screen triangle, for scattered points. */
  readonly vertex?: string;
  readonly primitive?: 'points' | 'triangles';
  readonly blend?: Blend;
  /** #define lines. */
  readonly defines?: Readonly<Record<string, string | number>>;
}

export interface Pass<T extends string = string, U extends UniformTable = UniformTable> {
  readonly name: string;
  readonly vertex: string;
  readonly fragment: string;
  readonly textures: readonly { readonly name: T; readonly kind: TexelKind }[];
  readonly uniforms: readonly (keyof U & string)[];
  readonly outputs: readonly TexelKind[];
  readonly primitive: 'points' | 'triangles';
  /** The pass draws the full-screen triangle. */
  readonly screen: boolean;
  readonly blend: Blend | null;
  /** Only for the type of `draw`. */
  readonly types?: U;
}

// highp everywhere. Phones use mediump and lowp as the defaults of samplers, and the resulting errors do not show on
// desktops.
const precision = ['float', 'int', 'sampler2D', 'isampler2D', 'usampler2D', 'sampler2DArray', 'usampler2DArray']
  .map((type) => `precision highp ${type};\n`)
  .join('');
const header = (defines: Readonly<Record<string, string | number>>) =>
  `#version 300 es\n${precision}${Object.entries(defines)
    .map(([name, value]) => `#define ${name} ${value}\n`)
    .join('')}`;

// One triangle that covers the viewport. Two triangles would shade pixels along the diagonal twice.
const screenTriangle =
  'void main(){gl_Position=vec4(float((gl_VertexID&1)<<2)-1.0,float((gl_VertexID&2)<<1)-1.0,0.0,1.0);}';

const kindOf = (type: string): TexelKind | null =>
  /^(float|vec\d|sampler2D)/.test(type)
    ? 'float'
    : /^(int|ivec\d|isampler2D)/.test(type)
      ? 'int'
      : /^(uint|uvec\d|usampler2D)/.test(type)
        ? 'uint'
        : null;

const quote = (names: Iterable<string>) => [...names].map((name) => `'${name}'`).join(', ') || 'none';

/** Replaces the defined words, so that `uniform SAMPLER source;` can be parsed. */
const substitute = (text: string, defines: Readonly<Record<string, string | number>>) =>
  text.replace(/\b[A-Z][A-Z0-9_]*\b/g, (word) => (word in defines ? String(defines[word]) : word));

/** Removes comments and the code that #ifdef and #ifndef exclude. #if is not evaluated. */
function plain(text: string, defines: Readonly<Record<string, string | number>>): string {
  const open: { keeps: boolean; known: boolean }[] = [];
  return text
    .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ')
    .split('\n')
    .filter((line) => {
      const [, directive, name] = /^\s*#\s*(\w+)\s*(\w*)/.exec(line) ?? [];
      if (directive === 'ifdef') open.push({ keeps: name! in defines, known: true });
      else if (directive === 'ifndef') open.push({ keeps: !(name! in defines), known: true });
      else if (directive === 'if') open.push({ keeps: true, known: false });
      else if (directive === 'else' && open[open.length - 1]?.known)
        open[open.length - 1]!.keeps = !open[open.length - 1]!.keeps;
      else if (directive === 'endif') open.pop();
      return open.every(({ keeps }) => keeps);
    })
    .join('\n');
}

function declaredUniforms(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, type, name, length] of text.matchAll(
    /\buniform\s+(?:(?:low|medium|high)p\s+)?(\w+)\s+(\w+)\s*(?:\[\s*(\w+)\s*\])?\s*;/g,
  ))
    found.set(name!, length ? `${type}[${length}]` : type!);
  return found;
}

function declaredOutputs(text: string): { name: string; type: string; location: number }[] {
  const found: { name: string; type: string; location: number }[] = [];
  for (const [, location, type, name] of text.matchAll(
    /(?:layout\s*\(\s*location\s*=\s*(\d+)\s*\)\s*)?\bout\s+(?:(?:low|medium|high)p\s+)?(\w+)\s+(\w+)\s*;/g,
  ))
    found.push({ name: name!, type: type!, location: location ? +location : 0 });
  return found.sort((a, b) => a.location - b.location);
}

/** Every pass by its name. */
const defined = new Map<string, Pass>();

/**
 * A pass exactly as declared. If it is declared in the file of its stage, scripts contain only its name (engine-parts.ts).
 */
export const passNamed = <P extends { readonly name: string }>(pass: P): P =>
  'fragment' in pass ? pass : (defined.get(pass.name) as unknown as P);

/** Checks the declaration against the shader. Throws 'internal' with the first difference. */
export function definePass<const T extends string, const U extends UniformTable>(
  declaration: PassDeclaration<T, U>,
): Pass<T, U> {
  const { name, defines = {}, textures, uniforms } = declaration;
  const wrong = (text: string) => new FoveolaError('internal', `Pass '${name}': ${text}`);
  const fragment = substitute(plain(declaration.fragment, defines), defines);
  const vertex = declaration.vertex ? substitute(plain(declaration.vertex, defines), defines) : '';
  const found = new Map([...declaredUniforms(vertex), ...declaredUniforms(fragment)]);
  const missing = (found.size === 0 && /\buniform\b/.test(fragment)) || /\buniform\b[^;]*,/.test(fragment + vertex);
  if (missing) throw wrong('write every uniform as a statement of its own, `uniform <type> <name>;`.');
  const samplers: { name: T; kind: TexelKind }[] = [];
  for (const texture of textures) {
    const type = found.get(texture);
    if (!type || !type.includes('sampler')) throw wrong(`the shader has no sampler '${texture}'.`);
    samplers.push({ name: texture, kind: kindOf(type)! });
    found.delete(texture);
  }
  for (const [uniform, type] of Object.entries(uniforms)) {
    const known = found.get(uniform);
    if (!known) throw wrong(`the shader has no uniform '${uniform}'. Undeclared: ${quote(found.keys())}.`);
    if (known !== type) throw wrong(`uniform '${uniform}' is ${known} in the shader, not ${type}.`);
    found.delete(uniform);
  }
  if (found.size) throw wrong(`the shader also needs ${quote(found.keys())}.`);
  const outputs = declaredOutputs(fragment);
  if (outputs.map((o) => o.name).join() !== declaration.outputs.join() || outputs.some((o, i) => o.location !== i))
    throw wrong(`outputs are ${quote(outputs.map((o) => o.name))} in the shader, not ${quote(declaration.outputs)}.`);
  const head = header(defines);
  const pass: Pass<T, U> = {
    name,
    vertex: head + (declaration.vertex ?? screenTriangle),
    fragment: head + declaration.fragment,
    textures: samplers,
    uniforms: Object.keys(uniforms),
    outputs: outputs.map((o) => kindOf(o.type)!),
    primitive: declaration.primitive ?? (declaration.vertex ? 'points' : 'triangles'),
    screen: !declaration.vertex,
    blend: declaration.blend ?? null,
  };
  defined.set(name, pass as unknown as Pass);
  return pass;
}
