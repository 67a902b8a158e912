/** Defines `<foveola-face>`. */
import { FoveolaFace } from './face.component.ts';
import { define } from '../base/page.ts';

define('foveola-face', FoveolaFace);

export { FoveolaFace };
export type { FoveolaFaceEventMap } from './face.component.ts';

declare global {
  interface HTMLElementTagNameMap {
    'foveola-face': FoveolaFace;
  }
}
