/** Defines `<foveola-pupil-test>`, and `<foveola-pupil>` inside it. */
import { define } from '../base/page.ts';
import { FoveolaPupil } from '../pupil/pupil.component.ts';
import { FoveolaPupilTest } from './pupil-test.component.ts';

define('foveola-pupil', FoveolaPupil);
define('foveola-pupil-test', FoveolaPupilTest);

export { FoveolaPupilTest };
export type {
  FoveolaPupilTestEventMap,
  PupilTestResult,
  PupilTestState,
  TestSample,
  TestStep,
} from './pupil-test.component.ts';

declare global {
  interface HTMLElementTagNameMap {
    'foveola-pupil-test': FoveolaPupilTest;
  }
}
