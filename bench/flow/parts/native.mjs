// Calls native.py with the first Python that has cv2.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('native.py', import.meta.url));

/** Its answer, or { skipped: reason }. */
export function native(...args) {
  let answer = { skipped: 'there is no python3' };
  for (const program of ['/usr/bin/python3', 'python3']) {
    if (program.startsWith('/') && !existsSync(program)) continue;
    try {
      answer = JSON.parse(execFileSync(program, [script, ...args.map(String)], { encoding: 'utf8' }));
    } catch (error) {
      answer = { skipped: error.message.split('\n')[0] };
    }
    if (!answer.skipped) return answer;
  }
  return answer;
}
