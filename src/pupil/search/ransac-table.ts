/**
 * The RANSAC table (paper 000, "Pre-calculating random numbers"): `sets` x 5 numbers in [0, 1) drawn once by xorshift32
 * and scaled by the number of points at use. Order: member k of sets 4j..4j+3 are neighbors, for four lanes at a time.
 */
export function ransacTable(sets: number, seed = 2463534242): Float32Array {
  const table = new Float32Array(sets * 5);
  let state = seed | 0;
  for (let set = 0; set < sets; set++)
    for (let k = 0; k < 5; k++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      table[(set >> 2) * 20 + k * 4 + (set & 3)] = (state >>> 8) / 16777216;
    }
  return table;
}
