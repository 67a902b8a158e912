/** Compiles passes on their first draw, and draws them. All GL state that a draw changes is cached here. */
// Not createProgramInfo, which adds TWGL's uniform blocks, attributes and transform feedback to the bundle.
import { createProgram, createProgramAsync, createUniformSetters } from 'twgl.js';
import { FoveolaError, lostError } from '../error.ts';
import type { GpuContext } from './gpu-context.ts';
import { formats } from './gpu-formats.ts';
import { passNamed, type Pass, type UniformTable, type UniformValues } from './pass.ts';
import { Plane } from '../plane.ts';
import type { Texture, TexturePool } from './texture-pool.ts';

export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A surface that a pass reads from or draws into. */
export type Surface = Plane | Texture;

export interface Draw<T extends string, U extends UniformTable> {
  /** One per output, all of one size. */
  readonly targets: readonly Surface[];
  readonly textures: Readonly<Record<T, Surface>>;
  readonly uniforms: UniformValues<U>;
  /** Pixels of the targets that are drawn. The other pixels keep their values. */
  readonly region?: Region;
  /** Number of vertices, for passes with a vertex shader. */
  readonly count?: number;
  /** Sets the whole targets to these values first. */
  readonly clear?: readonly [number, number, number, number];
}

/** A pass with any arguments, as needed for compiling. */
export type AnyPass = Omit<Pass, 'uniforms' | 'types'>;

interface Program {
  readonly program: WebGLProgram;
  readonly setters: Readonly<Record<string, ((value: unknown) => void) | undefined>>;
}

const MAX_UNITS = 15;

const textureOf = (surface: Surface): Texture => (surface instanceof Plane ? surface.texture() : surface);

export class GpuPrograms {
  readonly #context: GpuContext;
  readonly #pool: TexturePool;
  #programs = new Map<AnyPass, Program>();
  #compiling = new Map<AnyPass, Promise<void>>();
  #program: WebGLProgram | null = null;
  #blend: string | null = null;
  #bound = new Array<WebGLTexture | null>(MAX_UNITS).fill(null);
  // Objects of the current draw, stored so that a draw allocates nothing.
  readonly #targets: Texture[] = [];
  readonly #sources: Texture[] = [];

  constructor(context: GpuContext, pool: TexturePool) {
    this.#context = context;
    this.#pool = pool;
  }

  /**
   * Compiles passes before their first draw, in parallel with the page's work if KHR_parallel_shader_compile exists.
   */
  async prepare(passes: readonly AnyPass[]): Promise<void> {
    await Promise.all(passes.map((pass) => this.#prepare(pass)));
  }

  #prepare(declared: AnyPass): Promise<void> {
    const pass = passNamed(declared);
    this.#context.usable();
    if (this.#programs.has(pass)) return Promise.resolve();
    let compiling = this.#compiling.get(pass);
    if (!compiling) {
      const { gl } = this.#context;
      const silent = { errorCallback: () => {} };
      compiling = createProgramAsync(gl, [pass.vertex, pass.fragment], silent)
        .then(
          (program) => {
            // A draw did not wait, or the context was lost in between.
            if (this.#compiling.get(pass) !== compiling || this.#programs.has(pass)) gl.deleteProgram(program);
            else this.#link(pass, program);
          },
          (error) => {
            throw this.#context.lost ? lostError() : compileError(pass, String(error));
          },
        )
        .finally(() => {
          if (this.#compiling.get(pass) === compiling) this.#compiling.delete(pass);
        });
      this.#compiling.set(pass, compiling);
    }
    return compiling;
  }

  #compile(pass: AnyPass): Program {
    const { gl } = this.#context;
    let message = '';
    const linked = createProgram(gl, [pass.vertex, pass.fragment], {
      errorCallback: (text) => {
        message += `${text}\n`; // first the linker's, then the compiler's
      },
    }) as WebGLProgram | null;
    if (!linked) throw this.#context.lost ? lostError() : compileError(pass, message);
    return this.#link(pass, linked);
  }

  #link(pass: AnyPass, linked: WebGLProgram): Program {
    const { gl } = this.#context;
    gl.useProgram((this.#program = linked));
    // Texture i of the pass stays on unit i, so a draw only binds.
    pass.textures.forEach(({ name }, unit) => gl.uniform1i(gl.getUniformLocation(linked, name), unit));
    const program = { program: linked, setters: createUniformSetters(gl, linked) as Program['setters'] };
    this.#programs.set(pass, program);
    return program;
  }

  draw<T extends string, U extends UniformTable>(declared: Pass<T, U>, draw: Draw<T, U>): void {
    const pass = passNamed(declared);
    this.#context.usable();
    const { gl, capabilities } = this.#context;
    const { region } = draw;
    const targets = this.#targets;
    const sources = this.#sources;
    // This also uploads planes, which must happen before anything is bound.
    targets.length = sources.length = 0;
    for (const target of draw.targets) targets.push(textureOf(target));
    for (const { name } of pass.textures) {
      const source = draw.textures[name];
      if (!source) throw wrong(pass, `texture '${name}' is missing.`);
      sources.push(textureOf(source));
    }
    check(pass, draw, targets, sources, capabilities.floatBlend);
    const program = this.#programs.get(pass) ?? this.#compile(pass);
    if (this.#program !== program.program) gl.useProgram((this.#program = program.program));
    for (let unit = 0; unit < pass.textures.length; unit++) {
      const { texture } = sources[unit]!;
      if (this.#bound[unit] === texture) continue;
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, (this.#bound[unit] = texture));
    }
    // undefined if the compiler removed the uniform
    for (const name of pass.uniforms) program.setters[name]?.(draw.uniforms[name]);
    if (this.#blend !== pass.blend) this.#setBlend(pass.blend);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#pool.framebuffer(targets));
    if (draw.clear) this.#clear(targets, draw.clear);
    if (region) gl.viewport(region.x, region.y, region.width, region.height);
    else gl.viewport(0, 0, targets[0]!.width, targets[0]!.height);
    gl.drawArrays(pass.primitive === 'points' ? gl.POINTS : gl.TRIANGLES, 0, pass.screen ? 3 : draw.count!);
  }

  /** Sets whole textures to one value. */
  clear(surfaces: readonly Surface[], value: readonly [number, number, number, number]): void {
    this.#context.usable();
    const targets = surfaces.map(textureOf);
    this.#context.gl.bindFramebuffer(this.#context.gl.FRAMEBUFFER, this.#pool.framebuffer(targets));
    this.#clear(targets, value);
  }

  #clear(targets: readonly Texture[], value: readonly number[]): void {
    const { gl } = this.#context;
    targets.forEach(({ format }, i) => {
      const { kind } = formats[format];
      if (kind === 'uint') gl.clearBufferuiv(gl.COLOR, i, value as number[]);
      else if (kind === 'int') gl.clearBufferiv(gl.COLOR, i, value as number[]);
      else gl.clearBufferfv(gl.COLOR, i, value as number[]);
    });
  }

  #setBlend(blend: Pass['blend']): void {
    const { gl } = this.#context;
    if (!blend) gl.disable(gl.BLEND);
    else {
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.ONE, gl.ONE);
      gl.blendEquation(blend === 'add' ? gl.FUNC_ADD : blend === 'min' ? gl.MIN : gl.MAX);
    }
    this.#blend = blend;
  }

  /** Compiled passes. */
  get count(): number {
    return this.#programs.size;
  }

  /** After a loss: everything compiles again when it is next drawn. */
  forget(): void {
    this.#programs.clear();
    this.#compiling.clear();
    this.#program = null;
    this.#blend = null;
    this.#bound.fill(null);
  }
}

const compileError = (pass: { name: string }, message: string) =>
  new FoveolaError('internal', `Pass '${pass.name}' does not compile on this device: ${message.trim().slice(0, 2000)}`);

const wrong = (pass: { name: string }, text: string) => new FoveolaError('internal', `Pass '${pass.name}': ${text}`);

function check<T extends string, U extends UniformTable>(
  pass: Pass<T, U>,
  draw: Draw<T, U>,
  targets: readonly Texture[],
  sources: readonly Texture[],
  floatBlend: boolean,
): void {
  const { uniforms } = draw;
  if (targets.length !== pass.outputs.length)
    throw wrong(pass, `${pass.outputs.length} targets are needed, not ${targets.length}.`);
  for (let i = 0; i < targets.length; i++) {
    const { format, width, height, lost } = targets[i]!;
    const { kind, channelBytes } = formats[format];
    if (kind !== pass.outputs[i]) throw wrong(pass, `output ${i} is ${pass.outputs[i]}, its target is ${format}.`);
    if (width !== targets[0]!.width || height !== targets[0]!.height)
      throw wrong(pass, 'all targets must have one size.');
    if (pass.blend && (kind !== 'float' || (channelBytes === 4 && !floatBlend)))
      throw wrong(pass, `this device cannot blend into ${format}.`);
    if (lost) throw lostError();
  }
  for (let i = 0; i < sources.length; i++) {
    const { name, kind } = pass.textures[i]!;
    const source = sources[i]!;
    if (formats[source.format].kind !== kind)
      throw wrong(pass, `texture '${name}' must be ${kind}, not ${source.format}.`);
    if (source.lost) throw lostError();
    if (targets.includes(source)) throw wrong(pass, `texture '${name}' is also a target.`);
  }
  let more = pass.textures.length;
  for (const name in draw.textures) if (--more < 0) throw wrong(pass, `one texture too many ('${name}' or another).`);
  for (const name of pass.uniforms) {
    const value: unknown = uniforms[name];
    if (value === undefined || value !== value) throw wrong(pass, `uniform '${name}' is missing or NaN.`);
  }
  more = pass.uniforms.length;
  for (const name in uniforms) if (--more < 0) throw wrong(pass, `one uniform too many ('${name}' or another).`);
  if (!pass.screen && !(draw.count! >= 0)) throw wrong(pass, 'count, the number of vertices, is missing.');
}
