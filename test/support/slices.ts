/** A clock on which every step takes longer than a slice, and pauses that count. */
export async function inSlices<T>(body: (context: { pauses: { pause(): Promise<void> } }) => Promise<T>) {
  const { now } = performance;
  let time = 0;
  let count = 0;
  performance.now = () => (time += 9);
  const pause = () => {
    count++;
    return new Promise<void>((resolve) => setTimeout(resolve));
  };
  try {
    return { result: await body({ pauses: { pause } }), pauses: count };
  } finally {
    performance.now = now;
  }
}
