// The tools of a project (bundlers, compilers, servers), run as a user would run them. Each gets a process group of its own,
// so that what it starts itself ends with it.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

const running = new Set();
const groups = process.platform !== 'win32';

function end(child, signal = 'SIGTERM') {
  try {
    if (groups) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // it has ended by itself
  }
}
process.on('exit', () => running.forEach((child) => end(child, 'SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1)); // so that 'exit' comes as well

/**
 * What npm and node:test tell their own children must not reach a project's tools: they would take it for theirs. With CI
 * set, some tools leave out what they do for their users (Angular: pre-bundling).
 */
export function projectEnvironment() {
  const own =
    /^(npm_package_|npm_lifecycle_|npm_config_local_prefix$|npm_command$|NODE_TEST_CONTEXT$|NODE_OPTIONS$|CI$)/;
  const inherited = Object.entries(process.env).filter(([name]) => !own.test(name));
  return {
    ...Object.fromEntries(inherited),
    NO_COLOR: '1',
    FORCE_COLOR: '0',
    NEXT_TELEMETRY_DISABLED: '1',
    NG_CLI_ANALYTICS: 'false',
  };
}

/**
 * The arguments of node for one command of a project: ['./build.mjs', ...] is a script of its own, ['vite', 'build'] the
 * program of that package, ['typescript:tsc', ...] a program that has another name than its package.
 */
function resolve(folder, [program, ...args]) {
  if (program.startsWith('.')) return [path.join(folder, program), ...args];
  const [name, wanted = name.split('/').pop()] = program.split(':');
  const home = path.join(folder, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'));
  return [path.join(home, typeof bin === 'string' ? bin : bin[wanted]), ...args];
}

function start(folder, args, program = process.execPath) {
  const child = spawn(program, args, {
    cwd: folder,
    env: projectEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: groups,
    shell: process.platform === 'win32' && program === 'npm',
  });
  running.add(child);
  const heard = { text: '' };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (heard.text += data));
  const ended = new Promise((done) => {
    child.on('error', (error) => done({ code: error.code ?? 1, error }));
    child.on('close', (code) => done({ code }));
  }).finally(() => running.delete(child));
  return { child, heard, ended };
}

const tail = (text) => text.trimEnd().split('\n').slice(-40).join('\n');

/** Runs a command to its end; rejects with the end of what it said. */
export async function run(folder, command, { program, limit = 300_000 } = {}) {
  const { child, heard, ended } = start(folder, program ? command : resolve(folder, command), program);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    end(child, 'SIGKILL');
  }, limit);
  const { code } = await ended;
  clearTimeout(timer);
  if (code !== 0)
    throw new Error(`${command.join(' ')} ${late ? 'took too long' : `ended with ${code}`}\n${tail(heard.text)}`);
  return heard.text;
}

export const freePort = () =>
  new Promise((done, fail) => {
    const server = createServer().once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

/** Starts a server and waits until it answers. Resolves to { url, heard, stop }. */
export async function startServer(folder, command, { port, limit = 120_000 }) {
  const { child, heard, ended } = start(folder, resolve(folder, command));
  let over = null;
  ended.then(({ code }) => (over = code ?? 'a signal'));
  const url = `http://127.0.0.1:${port}`;
  const until = Date.now() + limit;
  const stop = async () => {
    end(child);
    const timer = setTimeout(() => end(child, 'SIGKILL'), 5000);
    await ended;
    clearTimeout(timer);
    end(child, 'SIGKILL'); // what it left of its group
  };
  for (;;) {
    if (over !== null) throw new Error(`${command.join(' ')} ended with ${over}\n${tail(heard.text)}`);
    const answered = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) return { url, heard, stop };
    if (Date.now() > until) {
      await stop();
      throw new Error(`${command.join(' ')} does not answer at ${url}\n${tail(heard.text)}`);
    }
    await new Promise((done) => setTimeout(done, 200));
  }
}
