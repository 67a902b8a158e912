// The tests that reach what changed: by every path that a file names in a string, so imports, workers, shaders and
// `importTs('src/node/index.ts')` count alike. Kernels have no such path: they are those of the folder with their name.
// Tests of what is built come only where they changed themselves; the build has minutes.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { filesBelow } from './fingerprint.mjs';

const folders = ['src', 'widget', 'glsl', 'assembly', 'test', 'tools', 'bench', 'lab', 'models'];
const isText = (file) => /\.(ts|mjs|js|frag|vert|glsl|json)$/.test(file);
const isTest = (file) => /\.test\.(ts|mjs)$/.test(file);
const needsBuild = (file) => /^test\/(pages|command|browsers|apps|infrastructure)\//.test(file);

/** By file: those that name it. */
export function namedBy(root) {
  const files = filesBelow(root, folders);
  const known = new Set(files);
  const users = new Map(files.map((file) => [file, []]));
  for (const file of files.filter(isText)) {
    const text = readFileSync(path.join(root, file), 'utf8');
    for (const [, name] of text.matchAll(/['"`]([^'"`\s]+\.\w+)['"`]/g))
      for (const to of [path.posix.join(path.posix.dirname(file), name), name.replace(/^\//, '')])
        if (known.has(to)) users.get(to).push(file);
  }
  return users;
}

function ofKernels(file, users) {
  const kernels = /^assembly\/([^/]+)\//.exec(file)?.[1];
  return kernels ? [...users.keys()].filter((one) => one.startsWith(`test/${kernels}/`)) : [];
}

/** What differs from the last commit; where nothing does, what that commit changed. */
function changedFiles(root) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const open = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
  return open.length ? open : git('diff', '--name-only', 'HEAD~1', 'HEAD');
}

/** The tests with the shortest way to these files: those that import them, or else that import what imports them. */
export function nearestTests(root, files) {
  const users = namedBy(root);
  const seen = new Set(files);
  for (let near = files; near.length;) {
    const tests = near.filter((file) => isTest(file) && !needsBuild(file));
    if (tests.length) return tests.sort();
    near = near
      .flatMap((file) => [...(users.get(file) ?? []), ...ofKernels(file, users)])
      .filter((file) => !seen.has(file));
    for (const file of near) seen.add(file);
  }
  return [];
}

/** @param changed files relative to the root, with slashes; by default what git says */
export function testsOf(root, changed = changedFiles(root), users = namedBy(root)) {
  const reached = new Set(changed);
  for (const file of reached) {
    for (const user of [...(users.get(file) ?? []), ...ofKernels(file, users)]) reached.add(user);
  }
  const isWanted = (file) => isTest(file) && users.has(file) && (!needsBuild(file) || changed.includes(file));
  return [...reached].filter(isWanted).sort();
}
