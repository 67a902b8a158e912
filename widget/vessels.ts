/** Defines `<foveola-vessels>`. */
import { define } from './parts/define.ts';
import { FoveolaVessels } from './vessels.component.ts';

define('foveola-vessels', FoveolaVessels);

export { FoveolaVessels };

declare global {
  interface HTMLElementTagNameMap {
    'foveola-vessels': FoveolaVessels;
  }
}
