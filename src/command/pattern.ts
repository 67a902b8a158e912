/** Patterns of files, as shells have them: `*`, `?`, `[...]`, `{a,b}`, `**` for any depth. */
import path from 'node:path';
import picomatch from 'picomatch';
import { isHidden, type Wanted } from './walk.ts';

export interface Pattern {
  /** The folder that it starts in. */
  folder: string;
  wanted: Wanted;
}

/** Its parts between slashes, except slashes inside brackets or braces. */
function segmentsOf(pattern: string): string[] {
  const segments = [''];
  let depth = 0;
  for (const c of pattern) {
    if ('{[('.includes(c)) depth++;
    if ('}])'.includes(c)) depth--;
    if (c === '/' && depth <= 0) segments.push('');
    else segments[segments.length - 1] += c;
  }
  return segments;
}

/** Files that it matches, and everything visible in folders that it matches; null for a plain path. */
export function patternOf(given: string): Pattern | null {
  const text = given.split(path.sep).join('/');
  if (!picomatch.scan(text).isGlob) return null;
  const fixed = text.slice(0, text.search(/[*?[{(!]/)).replace(/[^/]*$/, '');
  const pattern = text.slice(fixed.length);
  const matches = picomatch(pattern);
  const segments = segmentsOf(pattern);
  const steps = segments.map((segment) =>
    segment.includes('**') || segment.includes('/') ? null : picomatch(segment),
  );
  const open = steps.indexOf(null); // from this part it may reach any depth

  /** Whether it matches a folder above. */
  const inside = (parts: readonly string[]): boolean => {
    for (let depth = 1; depth < parts.length; depth++)
      if (matches(parts.slice(0, depth).join('/'))) return !parts.slice(depth).some(isHidden);
    return false;
  };
  const leadsTo = (parts: readonly string[]): boolean =>
    (open >= 0 || parts.length < segments.length) &&
    parts.every((part, i) => (open < 0 || i < open ? steps[i]!(part) : !isHidden(part)));
  const wanted: Wanted = {
    enters: (folder) => {
      const parts = folder.split('/');
      return matches(folder) || inside(parts) || leadsTo(parts);
    },
    has: (file) => matches(file) || inside(file.split('/')),
  };
  return { folder: fixed || '.', wanted };
}
