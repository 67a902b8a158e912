/** What this device's WebGL2 can do, asked once when the context is made or restored. */

export interface GpuCapabilities {
  /** Name of the renderer as far as the browser tells it. */
  readonly renderer: string;
  /** The shaders run on the CPU: right, but slow. */
  readonly software: boolean;
  /** Passes may write R32F, RG32F and RGBA32F (EXT_color_buffer_float). */
  readonly floatTargets: boolean;
  /** Passes may blend into them (EXT_float_blend). */
  readonly floatBlend: boolean;
  readonly maxTextureSize: number;
  readonly maxTargets: number;
  /** EXT_disjoint_timer_query_webgl2, for the benchmarks. */
  readonly timer: boolean;
  readonly parallelCompile: boolean;
  /** Why something is missing, in words for `capabilities.reasons`. */
  readonly reasons: readonly string[];
}

const softwareNames = /swiftshader|llvmpipe|softpipe|microsoft basic render|software|apple software/i;

export const isSoftwareRenderer = (renderer: string): boolean => softwareNames.test(renderer);

export function detectGpu(gl: WebGL2RenderingContext): GpuCapabilities {
  // Firefox warns about the extension and answers with RENDERER; the others mask RENDERER.
  const masked = String(gl.getParameter(gl.RENDERER));
  const debug = /webkit webgl/i.test(masked) || masked === '' ? gl.getExtension('WEBGL_debug_renderer_info') : null;
  const renderer = debug ? String(gl.getParameter(debug.UNMASKED_RENDERER_WEBGL)) : masked;
  const software = isSoftwareRenderer(renderer);
  const floatTargets = gl.getExtension('EXT_color_buffer_float') !== null;
  const floatBlend = floatTargets && gl.getExtension('EXT_float_blend') !== null;
  const reasons: string[] = [];
  if (software) reasons.push(`WebGL2 is drawn by software (${renderer}); backend 'auto' uses WASM.`);
  if (!floatTargets) reasons.push('EXT_color_buffer_float is missing: stages with float results run in WASM.');
  const maxTextureSize = gl.getParameter(gl.MAX_TEXTURE_SIZE) as number;
  // 2048 is what WebGL2 promises; the counters of the Hough transform are four times as wide as an image.
  if (maxTextureSize < 4096)
    reasons.push(`Textures have at most ${maxTextureSize} pixels a side: what is larger runs in WASM.`);
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
