/**
 * Owner of the only WebGL2 context. It creates the context and watches for its loss and restore. Nothing is ever drawn
 * to the canvas itself, so it stays 1x1.
 */
import { FoveolaError, lostError } from '../error.ts';

// WebGL2 capabilities of this device, queried once when the context is created or restored.

export interface GpuCapabilities {
  /** Name of the renderer as far as the browser reveals it. */
  readonly renderer: string;
  /** The shaders run on the CPU: correct, but slow. */
  readonly software: boolean;
  /** Passes may write R32F, RG32F and RGBA32F (EXT_color_buffer_float). */
  readonly floatTargets: boolean;
  /** Passes may blend into float targets (EXT_float_blend). */
  readonly floatBlend: boolean;
  readonly maxTextureSize: number;
  readonly maxTargets: number;
  /** EXT_disjoint_timer_query_webgl2, for the benchmarks. */
  readonly timer: boolean;
  readonly parallelCompile: boolean;
  /** Why something is missing, as text for `capabilities.reasons`. */
  readonly reasons: readonly string[];
}

const softwareNames = /swiftshader|llvmpipe|softpipe|microsoft basic render|software|apple software/i;

export const isSoftwareRenderer = (renderer: string): boolean => softwareNames.test(renderer);

export function detectGpu(gl: WebGL2RenderingContext): GpuCapabilities {
  // Firefox warns about the extension and returns the name in RENDERER. The other browsers mask RENDERER.
  const masked = String(gl.getParameter(gl.RENDERER));
  const debug = /webkit webgl/i.test(masked) || masked === '' ? gl.getExtension('WEBGL_debug_renderer_info') : null;
  const renderer = debug ? String(gl.getParameter(debug.UNMASKED_RENDERER_WEBGL)) : masked;
  const software = isSoftwareRenderer(renderer);
  const floatTargets = gl.getExtension('EXT_color_buffer_float') !== null;
  const floatBlend = floatTargets && gl.getExtension('EXT_float_blend') !== null;
  const reasons: string[] = [];
  if (software) reasons.push(`WebGL2 runs in software (${renderer}). backend 'auto' uses WASM.`);
  if (!floatTargets) reasons.push('EXT_color_buffer_float is missing: stages with float results run in WASM.');
  const maxTextureSize = gl.getParameter(gl.MAX_TEXTURE_SIZE) as number;
  // WebGL2 guarantees 2048. The counters of the Hough transform are four times as wide as an image.
  if (maxTextureSize < 4096)
    reasons.push(`Textures have at most ${maxTextureSize} pixels per side. Larger images run in WASM.`);
  return {
    renderer,
    software,
    floatTargets,
    floatBlend,
    maxTextureSize,
    maxTargets: gl.getParameter(gl.MAX_DRAW_BUFFERS) as number,
    timer: gl.getExtension('EXT_disjoint_timer_query_webgl2') !== null,
    parallelCompile: gl.getExtension('KHR_parallel_shader_compile') !== null,
    reasons,
  };
}

export interface GpuContextOptions {
  /** The caller's canvas, which must not have a context yet. */
  canvas?: OffscreenCanvas | HTMLCanvasElement;
  powerPreference?: WebGLPowerPreference;
}

const attributes = (powerPreference: WebGLPowerPreference): WebGLContextAttributes => ({
  alpha: false,
  antialias: false,
  depth: false,
  stencil: false,
  premultipliedAlpha: false,
  preserveDrawingBuffer: false,
  powerPreference,
});

type Canvas = OffscreenCanvas | HTMLCanvasElement;

function open(options: GpuContextOptions): { canvas: Canvas; gl: WebGL2RenderingContext } {
  const wanted = attributes(options.powerPreference ?? 'high-performance');
  const candidates: (() => Canvas)[] = [];
  if (options.canvas) candidates.push(() => options.canvas!);
  else {
    if (typeof OffscreenCanvas !== 'undefined') candidates.push(() => new OffscreenCanvas(1, 1));
    // WebKit has OffscreenCanvas without webgl2 (seen in WebKitGTK 2.50).
    if (typeof document !== 'undefined') candidates.push(() => document.createElement('canvas'));
  }
  for (const make of candidates) {
    const canvas = make();
    canvas.width = canvas.height = 1;
    const gl = canvas.getContext('webgl2', wanted) as WebGL2RenderingContext | null;
    if (gl && !gl.isContextLost()) return { canvas, gl };
  }
  throw new FoveolaError(
    'no-webgl2',
    "WebGL2 is not available (old browser, graphics acceleration off, or a worker without OffscreenCanvas). Use backend 'auto' or 'wasm'.",
  );
}

export class GpuContext {
  readonly canvas: Canvas;
  readonly gl: WebGL2RenderingContext;
  #capabilities: GpuCapabilities;
  #lost = false;
  #losses = 0;
  #disposed = false;
  #onLost = new Set<() => void>();
  #onRestored = new Set<() => void>();

  constructor(options: GpuContextOptions = {}) {
    const { canvas, gl } = open(options);
    this.canvas = canvas;
    this.gl = gl;
    this.#capabilities = detectGpu(gl);
    canvas.addEventListener('webglcontextlost', this.#lose);
    canvas.addEventListener('webglcontextrestored', this.#restore);
  }

  get capabilities(): GpuCapabilities {
    return this.#capabilities;
  }

  get lost(): boolean {
    // The flag of the context is set before the event is dispatched.
    return this.#lost || this.gl.isContextLost();
  }

  /** Number of losses so far. */
  get losses(): number {
    // It does not matter here that a loss is reported in a later task.
    return this.#losses + (this.lost && !this.#lost ? 1 : 0);
  }

  /** Throws 'disposed' or 'context-lost'. */
  usable(): void {
    if (this.#disposed) throw new FoveolaError('disposed', 'The GPU backend was disposed of. Create a new engine.');
    if (this.lost) throw lostError();
  }

  /** Calls `hook` after each loss. Returns a function that unsubscribes. */
  onLost(hook: () => void): () => void {
    this.#onLost.add(hook);
    return () => void this.#onLost.delete(hook);
  }

  /** Calls `hook` after each restore, when drawing works again. Use it to rebuild tables stored in textures. */
  onRestored(hook: () => void): () => void {
    this.#onRestored.add(hook);
    return () => void this.#onRestored.delete(hook);
  }

  readonly #lose = (event: Event) => {
    event.preventDefault(); // without it the browser never restores the context
    this.#lost = true;
    this.#losses++;
    for (const hook of [...this.#onLost]) hook();
  };

  readonly #restore = () => {
    this.#lost = false;
    this.#capabilities = detectGpu(this.gl); // another GPU may be in use now, and extensions must be requested again
    for (const hook of [...this.#onRestored]) hook();
  };

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.canvas.removeEventListener('webglcontextlost', this.#lose as EventListener);
    this.canvas.removeEventListener('webglcontextrestored', this.#restore);
    this.#onLost.clear();
    this.#onRestored.clear();
    // Browsers allow 16 contexts. Until garbage collection, this one would still count.
    this.gl.getExtension('WEBGL_lose_context')?.loseContext();
  }
}
