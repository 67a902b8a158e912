// Tests that plain `npm test` leaves out. `npm test -- --full` runs them, and so does each run of chosen files.
import { it } from 'node:test';

/** Plain `npm test`. */
export const short = Boolean(process.env.FOVEOLA_SHORT);
export const itInFull = short ? it.skip : it;
/** Of many alike, plain `npm test` keeps these. */
export const itKept = (kept) => (kept ? it : itInFull);
