/** Defines `<foveola-vessels>`. */
import { define } from '../base/page.ts';
import { FoveolaVessels } from './vessels.component.ts';

define('foveola-vessels', FoveolaVessels);

export { FoveolaVessels };
export type { FoveolaVesselsEventMap } from './vessels.component.ts';

declare global {
  interface HTMLElementTagNameMap {
    'foveola-vessels': FoveolaVessels;
  }
}
