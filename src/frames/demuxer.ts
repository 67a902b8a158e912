/**
 * The part that takes recordings apart is large and rarely needed, so it is loaded when it is. The CDN build replaces
 * this module by one that loads it from `data-assets`.
 */
export const loadEveryFrame = () => import('./every-frame.ts');
