/** Defines `<foveola-track>`. */
import { define } from '../base/page.ts';
import { FoveolaTrack } from './track.component.ts';

define('foveola-track', FoveolaTrack);

export { FoveolaTrack };
export type { FoveolaTrackEventMap } from './track.component.ts';

declare global {
  interface HTMLElementTagNameMap {
    'foveola-track': FoveolaTrack;
  }
}
