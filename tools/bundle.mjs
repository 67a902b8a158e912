// The bundles of rollup.config.js, several at a time: a thread each, since rollup takes one core.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { packagesOf } from './build-package.mjs';

/** A thread holds up to a gigabyte. */
const MOST_THREADS = 4;

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

/** A thread that makes one bundle after the other. */
class BundleThread {
  #worker;

  constructor(folder) {
    this.#worker = new Worker(fileURLToPath(import.meta.url), { workerData: { folder } });
  }

  /** The packages in the bundle of this wave and place. */
  make(wave, place) {
    return new Promise((resolve, reject) => {
      const answer = ({ packages, error }) => (error ? reject(error) : resolve(packages));
      this.#worker.removeAllListeners();
      this.#worker.on('message', answer).on('error', reject);
      this.#worker.postMessage({ wave, place });
    });
  }

  end() {
    return this.#worker.terminate();
  }
}

/** All waves of bundles into a folder, each when the one before is there; the packages that are in them. */
export async function bundleAll(folder) {
  const { configurations } = await import('../rollup.config.js');
  const packages = new Set();
  const threads = [];
  try {
    for (const [wave, { length }] of configurations(folder).entries()) {
      let next = 0;
      while (threads.length < Math.min(length, MOST_THREADS, availableParallelism()))
        threads.push(new BundleThread(folder));
      await Promise.all(
        threads.map(async (thread) => {
          while (next < length) for (const name of await thread.make(wave, next++)) packages.add(name);
        }),
      );
    }
  } finally {
    await Promise.all(threads.map((thread) => thread.end()));
  }
  return packages;
}

if (!isMainThread) {
  const { configurations } = await import('../rollup.config.js');
  const waves = configurations(workerData.folder);
  parentPort.on('message', ({ wave, place }) =>
    bundle(waves[wave][place], workerData.folder).then(
      (packages) => parentPort.postMessage({ packages }),
      (error) => parentPort.postMessage({ error }),
    ),
  );
}
