/** Compiles the two shaders of a pass, at once or beside the page's work, and makes what sets its uniforms. */
import type { Pass, UniformTable, UniformType } from './pass.ts';

/** A pass of any arguments: what compiling needs. */
export type AnyPass = Omit<Pass, 'types'> & { readonly types: UniformTable };

export interface Program {
  readonly program: WebGLProgram;
  /** By name; none for uniforms that the compiler dropped. */
  readonly setters: Readonly<Record<string, ((value: unknown) => void) | undefined>>;
}

/** How often a compilation in the background is asked for, in ms. */
const POLL = 8;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function begin(gl: WebGL2RenderingContext, pass: AnyPass): { program: WebGLProgram; shaders: WebGLShader[] } {
  const program = gl.createProgram();
  const shaders = ([gl.VERTEX_SHADER, gl.FRAGMENT_SHADER] as const).map((type, i) => {
    const shader = gl.createShader(type)!; // null only after a loss, when all calls are without effect
    gl.shaderSource(shader, i ? pass.fragment : pass.vertex);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    return shader;
  });
  gl.linkProgram(program);
  return { program, shaders };
}

/** Throws what the compiler says. */
function finish(gl: WebGL2RenderingContext, { program, shaders }: ReturnType<typeof begin>): WebGLProgram {
  const linked: unknown = gl.getProgramParameter(program, gl.LINK_STATUS);
  const texts = linked ? [] : [...shaders.map((shader) => gl.getShaderInfoLog(shader)), gl.getProgramInfoLog(program)];
  for (const shader of shaders) gl.deleteShader(shader); // the program keeps what it needs
  if (linked) return program;
  gl.deleteProgram(program);
  throw new Error(texts.filter(Boolean).join('\n'));
}

export const compile = (gl: WebGL2RenderingContext, pass: AnyPass): WebGLProgram => finish(gl, begin(gl, pass));

/** Waits without blocking where KHR_parallel_shader_compile exists. */
export async function compileAhead(gl: WebGL2RenderingContext, pass: AnyPass): Promise<WebGLProgram> {
  const begun = begin(gl, pass);
  const parallel = gl.getExtension('KHR_parallel_shader_compile');
  await pause(0);
  while (parallel && !gl.getProgramParameter(begun.program, parallel.COMPLETION_STATUS_KHR)) await pause(POLL);
  return finish(gl, begun);
}

function setter(gl: WebGL2RenderingContext, location: WebGLUniformLocation, type: UniformType) {
  const [, name, size, array] = /^([a-z]+)(\d?)(\[)?/.exec(type) as unknown as [string, string, string, string?];
  const calls = gl as unknown as Record<string, (...args: unknown[]) => void>;
  if (name === 'mat') return calls[`uniformMatrix${size}fv`]!.bind(gl, location, false);
  const kind = { i: 'i', u: 'ui' }[name[0]!] ?? 'f';
  return calls[`uniform${size || 1}${kind}${size || array ? 'v' : ''}`]!.bind(gl, location);
}

/** Texture i of the pass stays on unit i, so that a draw only binds. The program must be in use. */
export function programOf(gl: WebGL2RenderingContext, pass: AnyPass, program: WebGLProgram): Program {
  pass.textures.forEach(({ name }, unit) => gl.uniform1i(gl.getUniformLocation(program, name), unit));
  const setters: Record<string, (value: unknown) => void> = {};
  for (const [name, type] of Object.entries(pass.types)) {
    const location = gl.getUniformLocation(program, name);
    if (location) setters[name] = setter(gl, location, type);
  }
  return { program, setters };
}
