/** A context that is lost on the page's own thread, at each call. */
import { testLosses } from './context-losses.ts';

testLosses(false, 4);
