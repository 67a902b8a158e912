/** foveola-pupil-test.cdn.js: `<foveola-pupil-test>` with `<foveola-pupil>`, and the functions for clinics. */
export * from './common.ts';
export * from '../../src/clinic.ts';
export { FoveolaPupil } from '../pupil/pupil.ts';
export { FoveolaPupilTest } from '../pupil-test/pupil-test.ts';
