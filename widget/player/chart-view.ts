/** Which part of the time charts show: zoomed about a place, moved, kept within what there is. */

export type View = readonly [from: number, to: number];

/** Seconds: nothing shorter is shown. */
const least = 0.05;

/** `share`: of the time that is shown now, which stays about `at`. */
export function zoomed([from, to]: View, share: number, at: number, [begin, end]: View): View {
  const width = Math.min(Math.max(least, (to - from) * share), Math.max(least, end - begin));
  const left = at - ((at - from) / (to - from)) * width;
  return within([left, left + width], [begin, end]);
}

/** Moved by so many seconds. */
export const moved = ([from, to]: View, by: number, whole: View): View => within([from + by, to + by], whole);

function within([from, to]: View, [begin, end]: View): View {
  const back = Math.max(0, to - Math.max(end, begin + to - from));
  const on = Math.max(0, begin - (from - back));
  return [from - back + on, to - back + on];
}
