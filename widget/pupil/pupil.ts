/** Defines `<foveola-pupil>`. */
import { define } from '../base/page.ts';
import { FoveolaPupil } from './pupil.component.ts';

define('foveola-pupil', FoveolaPupil);

export { FoveolaPupil };
export type { FoveolaPupilEventMap } from './pupil.component.ts';

declare global {
  interface HTMLElementTagNameMap {
    'foveola-pupil': FoveolaPupil;
  }
}
