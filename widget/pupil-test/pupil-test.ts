/** Defines `<foveola-pupil-test>`, and `<foveola-pupil>` inside it. */
import '../pupil/pupil.ts';
import { define } from '../parts/define.ts';
import { FoveolaPupilTest } from './pupil-test.component.ts';

define('foveola-pupil-test', FoveolaPupilTest);

export { FoveolaPupilTest };
export type { PupilTestState } from './pupil-test.component.ts';
export type { PupilTestResult, TestSample, TestStep } from './test-record.ts';

declare global {
  interface HTMLElementTagNameMap {
    'foveola-pupil-test': FoveolaPupilTest;
  }
}
