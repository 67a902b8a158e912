const asked = async (name: string) => (await (await fetch(`/test/support/${name}.txt`)).text()) !== '';

/**
 * Whether each test of many cases tries all of them (`npm test -- --full`), or as many as fit into a run of minutes: other cases
 * of the same kinds, by fixed seeds.
 */
export const full = await asked('full');

/** Plain `npm test`. It leaves out tests that `npm test -- --full` runs, and each run of chosen files. */
export const short = await asked('short');
export const itInFull = short ? it.skip : it;
