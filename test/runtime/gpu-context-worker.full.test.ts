// Own page: it loses WebGL contexts.
/** A context that is lost in the engine's worker, at each call. Fewer places of each than in the page: what is the same is tried there. */
import { full } from '../support/full.ts';
import { testLosses } from './context-losses.ts';

testLosses(true, full ? 3 : 1);
