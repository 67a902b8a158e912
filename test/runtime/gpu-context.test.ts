// Full run only: rare faults and limits, up to a minute.
// Own page: it loses WebGL contexts.
/** A context that is lost on the page's own thread, at each call. */
import { full } from '../support/full.ts';
import { testLosses } from './context-losses.ts';

testLosses(false, full ? 4 : 1);
