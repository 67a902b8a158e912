// Bundled by bench.test.mjs.
import source from './shader.frag';

export const shader: string = source;
export const here: string = import.meta.url;
