// The cut of a confidence chosen without one subject at a time.

/** Mean over the sets of the share that is right at a cut: within 5 px, or silent where there is no pupil. */
function worth(cases, cut) {
  const sets = new Map();
  for (const { set, confidence, near, present } of cases) {
    const right = present ? near && confidence >= cut : confidence < cut;
    const key = present ? set : 'without';
    const [sum, n] = sets.get(key) ?? [0, 0];
    sets.set(key, [sum + Number(right), n + 1]);
  }
  const shares = [...sets.values()].map(([sum, n]) => sum / n);
  return shares.reduce((a, b) => a + b, 0) / shares.length;
}

/** The middle of the cuts, in steps of 0.01, that are worth the most. */
export function bestCut(cases) {
  const cuts = Array.from({ length: 99 }, (_, i) => (i + 1) / 100).map((cut) => ({ cut, value: worth(cases, cut) }));
  const most = Math.max(...cuts.map(({ value }) => value));
  const best = cuts.filter(({ value }) => value >= most - 1e-12);
  return best[best.length >> 1].cut;
}

/** Every subject judged by the cut that the others ask for: { cuts, right, n } by set. */
export function leaveOneOut(cases) {
  const cuts = [];
  const sets = new Map();
  for (const subject of new Set(cases.map((one) => one.subject))) {
    const own = cases.filter((one) => one.subject === subject);
    const cut = bestCut(cases.filter((one) => one.subject !== subject));
    cuts.push(cut);
    for (const { set, confidence, near, present } of own) {
      const key = present ? set : 'without a pupil';
      const [right, n] = sets.get(key) ?? [0, 0];
      sets.set(key, [right + Number(present ? near && confidence >= cut : confidence < cut), n + 1]);
    }
  }
  return { cuts, sets };
}
