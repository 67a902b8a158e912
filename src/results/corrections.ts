/** Corrections in exported data: a summary in words, and the corrections themselves. */

/** A correction of src/vessels/correct: any plain object with an action. */
export interface CorrectionNote {
  readonly action: string;
}

const words: Readonly<Record<string, string>> = {
  add: 'vessels added',
  erase: 'vessels erased',
  cut: 'vessels cut',
  disc: 'optic disc placed',
  fovea: 'fovea placed',
  kind: 'kind of a vessel set',
};

/** Number of corrections per action, ordered by first occurrence. */
export function countedCorrections(corrections: readonly CorrectionNote[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { action } of corrections) counts[action] = (counts[action] ?? 0) + 1;
  return counts;
}

/** '3 corrections by hand: vessels added 2, optic disc placed 1'. */
export function correctionsText(corrections: readonly CorrectionNote[]): string {
  const counts = Object.entries(countedCorrections(corrections)).map(
    ([action, n]) => `${words[action] ?? action} ${n}`,
  );
  const all = `${corrections.length} correction${corrections.length === 1 ? '' : 's'} by hand`;
  return counts.length ? `${all}: ${counts.join(', ')}` : all;
}
