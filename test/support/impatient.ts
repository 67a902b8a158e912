/** Makes the seconds of waits pass quickly: intervals of a second, and no others. Returns how to stop that. */
export function hurry(times = 20): () => void {
  const { setInterval } = globalThis;
  const quick = (work: TimerHandler, every?: number, ...given: unknown[]) =>
    setInterval(work, every === 1000 ? every / times : every, ...given);
  Object.assign(globalThis, { setInterval: quick });
  return () => void Object.assign(globalThis, { setInterval });
}
