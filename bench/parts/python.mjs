// Runs a script with the first Python that has what it needs, such as cv2.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The JSON that the script prints, or { skipped: reason }. */
export function python(script, ...args) {
  let answer = { skipped: 'python3 is not installed' };
  for (const program of ['/usr/bin/python3', 'python3']) {
    if (program.startsWith('/') && !existsSync(program)) continue;
    try {
      answer = JSON.parse(
        execFileSync(program, [script, ...args.map(String)], { encoding: 'utf8', maxBuffer: 1 << 26 }),
      );
    } catch (error) {
      answer = { skipped: error.message.split('\n')[0] };
    }
    if (!answer.skipped) return answer;
  }
  return answer;
}
