// The processes of a browser, as Linux lists them.
import { readFileSync, readdirSync } from 'node:fs';

/** Numbers of a process and of all that it and they have started. */
export function processesBelow(pid) {
  const children = new Map();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(entry)]);
    } catch {
      // it has ended
    }
  const all = [pid];
  for (const one of all) all.push(...(children.get(one) ?? []));
  return all;
}
