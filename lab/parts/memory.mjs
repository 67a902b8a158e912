// Memory of a browser's processes, as Linux tells it.
import { readFileSync } from 'node:fs';
import { processesBelow } from '../../tools/processes.mjs';

const field = (file, name) => {
  try {
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(file, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // it has ended
  }
};

/** MiB: resident of the largest renderer, and of all processes together with what they share counted once. */
export function memoryOf(pid) {
  const now = { renderer: 0, all: 0 };
  for (const one of processesBelow(pid)) {
    now.all += field(`/proc/${one}/smaps_rollup`, 'Pss');
    try {
      if (readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('--type=renderer'))
        now.renderer = Math.max(now.renderer, field(`/proc/${one}/status`, 'VmRSS'));
    } catch {
      // it has ended
    }
  }
  return now;
}

/** Runs `work`, and how many MiB each of `memoryOf` rose by meanwhile, at most; looked at every `look` ms. */
export async function memoryDuring(pid, work, look = 40) {
  const before = memoryOf(pid);
  const peak = { ...before };
  const watch = () => {
    const now = memoryOf(pid);
    for (const name of Object.keys(peak)) peak[name] = Math.max(peak[name], now[name]);
  };
  const timer = setInterval(watch, look);
  try {
    const value = await work();
    watch();
    return { value, rise: { renderer: peak.renderer - before.renderer, all: peak.all - before.all } };
  } finally {
    clearInterval(timer);
  }
}
