/**
 * Whether each test of many cases tries all of them (`npm test -- --full`), or as many as fit into a run of minutes: other cases
 * of the same kinds, by fixed seeds.
 */
export const full = (await (await fetch('/test/support/full.txt')).text()) !== '';
