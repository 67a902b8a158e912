// A small W3C WebDriver client, for browsers that puppeteer does not speak to: start the driver, open a session, go to
// pages, run functions in them, take pictures.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts a driver program, which is given `--port=N`, and opens one session. */
export async function startWebDriver(program, { capabilities, env }) {
  const port = await freePort();
  const child = spawn(program, [`--port=${port}`, '--host=127.0.0.1'], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let problem = null;
  child.once('error', (error) => (problem = error));
  const kill = () => child.kill();
  process.once('exit', kill);
  const base = `http://127.0.0.1:${port}`;

  async function call(method, address, body) {
    const answer = await fetch(`${base}${address}`, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}), headers: { 'Content-Type': 'application/json' } }),
    });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${address}: ${value?.error}: ${value?.message}`);
    return value;
  }

  async function listening() {
    for (let tries = 0; ; tries++) {
      if (problem) throw problem;
      try {
        return await call('GET', '/status');
      } catch (error) {
        if (tries > 100 || child.exitCode !== null) throw error;
        await pause(100);
      }
    }
  }

  let session = '';
  async function close() {
    // A browser that hangs does not answer.
    if (session) await Promise.race([call('DELETE', session).catch(() => {}), pause(10_000)]);
    process.off('exit', kill);
    kill();
    await ended;
  }

  try {
    await listening();
    const { sessionId } = await call('POST', '/session', { capabilities: { alwaysMatch: capabilities } });
    session = `/session/${sessionId}`;
    await call('POST', `${session}/timeouts`, { script: 240_000, pageLoad: 60_000 });
  } catch (error) {
    await close();
    throw error;
  }

  return {
    goto: (url) => call('POST', `${session}/url`, { url }),
    size: (width, height) => call('POST', `${session}/window/rect`, { x: 0, y: 0, width, height }),
    /** A function of the page, with plain arguments; what it returns may be a promise. */
    async run(work, ...args) {
      const script = `const answer = arguments[arguments.length - 1];
        const given = Array.prototype.slice.call(arguments, 0, -1);
        Promise.resolve().then(() => (${work})(...given)).then(
          (value) => answer({ value }), (error) => answer({ error: String(error) + '\\n' + (error && error.stack) }));`;
      const { value, error } = await call('POST', `${session}/execute/async`, { script, args });
      if (error) throw new Error(error);
      return value;
    },
    /** The mouse pressed at the first of these points, moved over the others, and released at the last. */
    drag: (points) =>
      call('POST', `${session}/actions`, {
        actions: [
          {
            type: 'pointer',
            id: 'mouse',
            parameters: { pointerType: 'mouse' },
            actions: points
              .map(([x, y]) => ({ type: 'pointerMove', duration: 30, x: Math.round(x), y: Math.round(y) }))
              .flatMap((move, i) => (i === 0 ? [move, { type: 'pointerDown', button: 0 }] : [move]))
              .concat({ type: 'pointerUp', button: 0 }),
          },
        ],
      }),
    screenshot: async () => Buffer.from(await call('GET', `${session}/screenshot`), 'base64'),
    close,
  };
}
