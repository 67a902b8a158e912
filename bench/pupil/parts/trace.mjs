// Tasks of a page's main thread out of a DevTools trace.

/** [{ start, wall, cpu }] in ms from the first task on, of the renderer that shows `address`. Nested tasks count once. */
export function mainThreadTasks({ traceEvents }, address) {
  const key = ({ pid, tid }) => `${pid}:${tid}`;
  const mains = new Set(
    traceEvents.filter((e) => e.name === 'thread_name' && e.args?.name === 'CrRendererMain').map(key),
  );
  const frames = traceEvents
    .filter((e) => e.name === 'TracingStartedInBrowser')
    .flatMap((e) => e.args?.data?.frames ?? []);
  const process = frames.find(({ url }) => url === address)?.processId;
  const tasks = traceEvents
    .filter(
      (e) => e.ph === 'X' && e.name === 'RunTask' && mains.has(key(e)) && (process === undefined || e.pid === process),
    )
    .sort((a, b) => a.ts - b.ts);
  if (!tasks.length) throw new Error('The trace has no tasks of the page; this browser names them otherwise.');
  const origin = tasks[0].ts;
  let end = -Infinity;
  const outer = [];
  for (const { ts, dur = 0, tdur = 0 } of tasks) {
    if (ts < end) continue;
    end = ts + dur;
    outer.push({ start: (ts - origin) / 1000, wall: dur / 1000, cpu: tdur / 1000 });
  }
  return outer;
}

/** Sums of the tasks in windows of `width` ms. A task that crosses a border is shared in proportion to its wall time. */
export function binned(tasks, clock, width, length) {
  const bins = new Float64Array(Math.floor(length / width));
  for (const task of tasks) {
    const last = task.start + task.wall;
    for (let i = Math.floor(task.start / width); i < bins.length && i * width <= last; i++) {
      const part = Math.min(last, (i + 1) * width) - Math.max(task.start, i * width);
      bins[i] += task.wall > 0 ? (task[clock] * Math.max(0, part)) / task.wall : 0;
    }
  }
  return Array.from(bins);
}
