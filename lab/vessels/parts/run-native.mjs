// Runs native.py with the first Python that has cv2; { skipped } when there is none.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

export function native(root, ...args) {
  let answer = { skipped: 'there is no python3' };
  for (const program of ['/usr/bin/python3', 'python3']) {
    if (program.startsWith('/') && !existsSync(program)) continue;
    try {
      const file = path.join(root, 'lab/vessels/native.py');
      answer = JSON.parse(execFileSync(program, [file, ...args.map(String)], { encoding: 'utf8' }));
    } catch (error) {
      answer = { skipped: error.message.split('\n')[0] };
    }
    if (!answer.skipped) return answer;
  }
  return answer;
}
