/** Defines `<foveola-filter>`. */
import { define } from '../base/page.ts';
import { FoveolaFilter } from './filter.component.ts';

define('foveola-filter', FoveolaFilter);

export { FoveolaFilter };
export type { FoveolaFilterEventMap } from './filter.component.ts';

declare global {
  interface HTMLElementTagNameMap {
    'foveola-filter': FoveolaFilter;
  }
}
