/** Compiles and links a pair of shaders and finds their uniforms; at once, or beside other work where the device can. */

export interface CompiledProgram {
  readonly program: WebGLProgram;
  readonly locations: Readonly<Record<string, WebGLUniformLocation | undefined>>;
  readonly setters: Readonly<Record<string, ((value: unknown) => void) | undefined>>;
}

interface Shaders {
  readonly vertex: string;
  readonly fragment: string;
}

/** How often a program that compiles in the background is looked at, in milliseconds. */
const POLL = 4;

// Values of the WebGL constants by size: scalar, vec2, vec3, vec4; mat2, mat3, mat4.
const floats = [0x1406, 0x8b50, 0x8b51, 0x8b52];
const ints = [0x1404, 0x8b53, 0x8b54, 0x8b55];
const uints = [0x1405, 0x8dc6, 0x8dc7, 0x8dc8];
const matrices = [0x8b5a, 0x8b5b, 0x8b5c];

type Method = 'uniform1f' | 'uniform1i' | 'uniform1ui' | 'uniformMatrix2fv' | 'uniformMatrix3fv' | 'uniformMatrix4fv';

function setterOf(gl: WebGL2RenderingContext, location: WebGLUniformLocation, { type, size }: WebGLActiveInfo) {
  const matrix = matrices.indexOf(type);
  if (matrix >= 0) {
    const method = `uniformMatrix${matrix + 2}fv` as 'uniformMatrix2fv';
    return (value: unknown) => gl[method](location, false, value as number[]);
  }
  const [list, suffix] = floats.includes(type) ? [floats, 'f'] : ints.includes(type) ? [ints, 'i'] : [uints, 'ui'];
  const components = list.indexOf(type) + 1;
  if (components === 0) return undefined; // a sampler: its unit is set once, by whoever links
  const array = size > 1 || components > 1;
  const method = `uniform${components}${suffix}${array ? 'v' : ''}` as Method as 'uniform1f';
  return (value: unknown) => gl[method](location, value as number);
}

function start(gl: WebGL2RenderingContext, { vertex, fragment }: Shaders): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, text] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    gl.deleteShader(shader); // goes with the program
  }
  gl.linkProgram(program);
  return program;
}

/** Throws with the compiler's words. */
function finish(gl: WebGL2RenderingContext, program: WebGLProgram): CompiledProgram {
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    const logs = (gl.getAttachedShaders(program) ?? []).map((shader) => gl.getShaderInfoLog(shader));
    const text = [...logs, gl.getProgramInfoLog(program)].filter(Boolean).join('\n');
    gl.deleteProgram(program);
    throw new Error(text || 'the compiler does not say why');
  }
  const locations: Record<string, WebGLUniformLocation> = {};
  const setters: Record<string, (value: unknown) => void> = {};
  const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) as number;
  for (let i = 0; i < count; i++) {
    const uniform = gl.getActiveUniform(program, i)!;
    const location = gl.getUniformLocation(program, uniform.name);
    if (!location) continue;
    const name = uniform.name.replace('[0]', '');
    const setter = setterOf(gl, location, uniform);
    locations[name] = location;
    if (setter) setters[name] = setter;
  }
  return { program, locations, setters };
}

export const compileProgram = (gl: WebGL2RenderingContext, shaders: Shaders): CompiledProgram =>
  finish(gl, start(gl, shaders));

/** With KHR_parallel_shader_compile nothing waits for the compiler; without it the first draw would, so this does. */
export async function compileProgramAsync(gl: WebGL2RenderingContext, shaders: Shaders): Promise<CompiledProgram> {
  const parallel = gl.getExtension('KHR_parallel_shader_compile') as { COMPLETION_STATUS_KHR: number } | null;
  const program = start(gl, shaders);
  do await new Promise((resolve) => setTimeout(resolve, POLL));
  while (parallel && !gl.isContextLost() && !gl.getProgramParameter(program, parallel.COMPLETION_STATUS_KHR));
  return finish(gl, program);
}
