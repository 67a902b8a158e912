/** Defines `<foveola-pupil>`. */
import { define } from './parts/define.ts';
import { FoveolaPupil } from './pupil.component.ts';

define('foveola-pupil', FoveolaPupil);

export { FoveolaPupil };

declare global {
  interface HTMLElementTagNameMap {
    'foveola-pupil': FoveolaPupil;
  }
}
