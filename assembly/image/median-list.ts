/** The upper of the middle values of n floats, by quickselect. Changes their order. */
export function median(list: usize, n: i32): f32 {
  let low = 0;
  let high = n - 1;
  const k = n >> 1;
  while (low < high) {
    const pivot = load<f32>(list + ((<usize>((low + high) >> 1)) << 2));
    let i = low;
    let j = high;
    while (i <= j) {
      while (load<f32>(list + ((<usize>i) << 2)) < pivot) i++;
      while (load<f32>(list + ((<usize>j) << 2)) > pivot) j--;
      if (i <= j) {
        const a = load<f32>(list + ((<usize>i) << 2));
        store<f32>(list + ((<usize>i) << 2), load<f32>(list + ((<usize>j) << 2)));
        store<f32>(list + ((<usize>j) << 2), a);
        i++;
        j--;
      }
    }
    if (k <= j) high = j;
    else if (k >= i) low = i;
    else break;
  }
  return load<f32>(list + ((<usize>k) << 2));
}
