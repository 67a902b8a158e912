/** Devices that lack something, made of this one: in a page or a worker, whatever the code that is tested asks for it. */

type Gl = WebGL2RenderingContext;

/** Takes something away from what this place has; returns how to give it back. */
export type Lack = () => () => void;

/** A value in place of a global one. */
const without =
  (name: 'OffscreenCanvas' | 'VideoFrame'): Lack =>
  () => {
    const own = Object.getOwnPropertyDescriptor(globalThis, name)!;
    Object.defineProperty(globalThis, name, { ...own, value: undefined });
    return () => Object.defineProperty(globalThis, name, own);
  };

const extensionsWithout =
  (...missing: string[]): Lack =>
  () => {
    const { prototype } = WebGL2RenderingContext;
    const { getExtension } = prototype;
    prototype.getExtension = function (this: Gl, name: string) {
      return missing.includes(name) ? null : (getExtension as (name: string) => unknown).call(this, name);
    } as typeof getExtension;
    return () => void (prototype.getExtension = getExtension);
  };

export const texturesOf =
  (limit: number): Lack =>
  () => {
    const { prototype } = WebGL2RenderingContext;
    const { getParameter } = prototype;
    prototype.getParameter = function (this: Gl, name: number) {
      return name === this.MAX_TEXTURE_SIZE ? limit : (getParameter.call(this, name) as unknown);
    };
    return () => void (prototype.getParameter = getParameter);
  };

const noWebGl: Lack = () => {
  const canvases = [globalThis.OffscreenCanvas, globalThis.HTMLCanvasElement].filter(Boolean) as {
    prototype: { getContext(this: unknown, ...given: unknown[]): unknown };
  }[];
  const back = canvases.map(({ prototype }) => {
    const { getContext } = prototype;
    prototype.getContext = function (...given) {
      return given[0] === 'webgl2' ? null : getContext.apply(this, given);
    };
    return () => (prototype.getContext = getContext);
  });
  return () => back.forEach((give) => give());
};

const noSimd: Lack = () => {
  const { compile } = WebAssembly;
  WebAssembly.compile = () => Promise.reject(new WebAssembly.CompileError('invalid value type v128'));
  return () => void (WebAssembly.compile = compile);
};

const noFrameCallback: Lack = () => {
  const { prototype } = (globalThis as { HTMLVideoElement?: { prototype: object } }).HTMLVideoElement ?? {};
  const name = 'requestVideoFrameCallback';
  const own = prototype && Object.getOwnPropertyDescriptor(prototype, name);
  if (!own) return () => {};
  Reflect.deleteProperty(prototype, name);
  return () => Object.defineProperty(prototype, name, own);
};

export const lacks = {
  'no float targets': extensionsWithout('EXT_color_buffer_float', 'EXT_float_blend'),
  'no blending of floats': extensionsWithout('EXT_float_blend'),
  'textures of 2048': texturesOf(2048),
  'textures smaller than the pictures': texturesOf(64),
  'no WebGL2': noWebGl,
  'no SIMD': noSimd,
  'no OffscreenCanvas': without('OffscreenCanvas'),
  'no VideoFrame': without('VideoFrame'),
  'no requestVideoFrameCallback': noFrameCallback,
} satisfies Record<string, Lack>;
