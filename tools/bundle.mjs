// The bundles of rollup.config.js, several at a time: a process each, since rollup takes one core.
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { packagesOf } from './build-package.mjs';

/** A process holds up to a gigabyte. */
const MOST_PROCESSES = 4;
/** Rollup makes many small objects. To collect them rarely, and without further threads, saves a fifth of its time. */
const execArgv = ['--max-semi-space-size=128', '--single-threaded-gc'];

/** Writes one bundle; the packages that are in it. */
export async function bundle(configuration, folder) {
  const { rollup } = await import('rollup');
  const { output, ...input } = configuration();
  const made = await rollup({
    ...input,
    onwarn: (warning) => {
      const files = warning.ids ?? [warning.id ?? ''];
      const remark = ['THIS_IS_UNDEFINED', 'CIRCULAR_DEPENDENCY'].includes(warning.code);
      if (remark && files.every((file) => file.includes('node_modules'))) return; // how a package is written
      throw new Error(`rollup: ${warning.message}`); // an unresolved import or a cycle is a defect, not a remark
    },
  });
  await made.write({ ...output, dir: folder });
  await made.close();
  return packagesOf(made.watchFiles);
}

/** A process that makes one bundle after the other. */
class BundleProcess {
  #process;

  constructor(folder) {
    this.#process = fork(fileURLToPath(import.meta.url), [folder], { execArgv, serialization: 'advanced' });
  }

  /** The packages in the bundle of this wave and place. */
  make(wave, place) {
    return new Promise((resolve, reject) => {
      this.#process.removeAllListeners();
      this.#process.on('message', ({ packages, error }) => (error ? reject(error) : resolve(packages)));
      this.#process.on('error', reject);
      this.#process.on('exit', (code) => reject(new Error(`rollup's process ended with ${code}`)));
      this.#process.send({ wave, place });
    });
  }

  end() {
    this.#process.removeAllListeners();
    this.#process.kill();
  }
}

/** All waves of bundles into a folder, each when the one before is there; the packages that are in them. */
export async function bundleAll(folder) {
  const { configurations } = await import('../rollup.config.js');
  const packages = new Set();
  const processes = [];
  try {
    for (const [wave, { length }] of configurations(folder).entries()) {
      let next = 0;
      while (processes.length < Math.min(length, MOST_PROCESSES, availableParallelism()))
        processes.push(new BundleProcess(folder));
      await Promise.all(
        processes.map(async (one) => {
          while (next < length) for (const name of await one.make(wave, next++)) packages.add(name);
        }),
      );
    }
  } finally {
    for (const one of processes) one.end();
  }
  return packages;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2);
  const { configurations } = await import('../rollup.config.js');
  const waves = configurations(folder);
  process.on('message', ({ wave, place }) =>
    bundle(waves[wave][place], folder).then(
      (packages) => process.send({ packages }),
      (error) => process.send({ error }),
    ),
  );
}
