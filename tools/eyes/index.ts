export { hardFrame, hardSet, HARD } from './hard-set.ts';
export type { HardMeta } from './hard-set.ts';
export type { Ellipse, EyeFrame, Truth } from './scene.ts';
