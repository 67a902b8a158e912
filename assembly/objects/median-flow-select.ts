// Medians of f64 values by Hoare's selection. The values are reordered.

function at(values: usize, i: i32): f64 {
  return load<f64>(values + ((<usize>i) << 3));
}

/** The value at place k in ascending order. Those before it are not greater, those after it not less. */
export function selectAt(values: usize, count: i32, k: i32): f64 {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = at(values, (low + high) >> 1);
    let i = low;
    let j = high;
    do {
      while (at(values, i) < pivot) i++;
      while (pivot < at(values, j)) j--;
      if (i <= j) {
        const other = at(values, i);
        store<f64>(values + ((<usize>i) << 3), at(values, j));
        store<f64>(values + ((<usize>j) << 3), other);
        i++;
        j--;
      }
    } while (i <= j);
    if (j < k) low = i;
    if (k < i) high = j;
  }
  return at(values, k);
}

/** Median of the values. For an even number it is the mean of the middle two. NaN without values. */
export function medianOf(values: usize, count: i32): f64 {
  if (!count) return NaN;
  const k = (count - 1) >> 1;
  const lower = selectAt(values, count, k);
  if (count & 1) return lower;
  let upper = at(values, k + 1);
  for (let i = k + 2; i < count; i++) upper = min(upper, at(values, i));
  return (lower + upper) / 2;
}
