// Browsers beside Chromium that tests may use where they are installed: Firefox (FIREFOX_PATH names another), WebKitGTK's
// MiniBrowser with its WebDriver, and Xvfb, a display for both. Nothing is downloaded; what is not there is null.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const isFile = (file) => existsSync(file);
const inPath = (names, env = process.env) =>
  names
    .flatMap((name) =>
      [...(env.PATH ?? '').split(path.delimiter), '/usr/bin', '/usr/local/bin'].map((dir) => path.join(dir, name)),
    )
    .find(isFile) ?? null;

/** The program's path, or null. */
export function findFirefox({ platform = process.platform, env = process.env } = {}) {
  if (env.FIREFOX_PATH) {
    if (!isFile(env.FIREFOX_PATH))
      throw new Error(`FIREFOX_PATH is ${env.FIREFOX_PATH}, which does not exist; correct or unset it.`);
    return env.FIREFOX_PATH;
  }
  if (platform === 'darwin') return ['/Applications/Firefox.app/Contents/MacOS/firefox'].find(isFile) ?? null;
  if (platform === 'win32') {
    const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)']].filter(Boolean);
    return folders.map((folder) => `${folder}\\Mozilla Firefox\\firefox.exe`).find(isFile) ?? null;
  }
  return inPath(['firefox-esr', 'firefox'], env);
}

/** { driver, miniBrowser }: both paths, or null when one is missing. */
export function findWebKit({ platform = process.platform, env = process.env } = {}) {
  if (platform !== 'linux') return null;
  const driver = inPath(['WebKitWebDriver'], env);
  const libraries = ['/usr/lib', '/usr/libexec', '/usr/lib64'].filter(isFile);
  const folders = libraries.flatMap((folder) => [folder, ...multiarch(folder)]);
  const miniBrowser = ['4.1', '4.0', '6.0']
    .flatMap((version) => folders.map((folder) => path.join(folder, `webkit2gtk-${version}/MiniBrowser`)))
    .find(isFile);
  return driver && miniBrowser ? { driver, miniBrowser } : null;
}

const multiarch = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('-linux-gnu'))
    .map((name) => path.join(folder, name));

export const findXvfb = ({ env = process.env } = {}) => inPath(['Xvfb'], env);

/**
 * A display for programs that need one: that of the environment, else an Xvfb of our own on a free number.
 * @returns { name, close() }, or null where there is neither
 */
export async function openDisplay({ env = process.env } = {}) {
  if (env.DISPLAY) return { name: env.DISPLAY, close: async () => undefined };
  const program = findXvfb({ env });
  if (!program) return null;
  // It writes the number that it took to this pipe as soon as it can be used.
  const child = spawn(program, ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const number = await new Promise((resolve, reject) => {
    let text = '';
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}.`)));
    child.stdio[3].on('data', (data) => (text += data).includes('\n') && resolve(text.trim()));
  });
  const kill = () => child.kill();
  process.once('exit', kill);
  return {
    name: `:${number}`,
    async close() {
      process.off('exit', kill);
      kill();
      await ended;
    },
  };
}
