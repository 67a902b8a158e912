/**
 * One engine for all elements of a page (design, idea 5): reference-counted, so that there is one GPU context and one
 * WASM instance, and ended by a task of its own, so that an element that is moved keeps it.
 */
import { assetBase } from './asset-base.ts';
import { checkOptions, type EngineOptions } from './engine-options.ts';

export interface SharedEngine<E> {
  readonly engine: Promise<E>;
  /** Gives it back; idempotent. `broken`: it works no more, nobody should get it again. */
  release(broken?: boolean): void;
}

interface Entry<E> {
  engine: Promise<E>;
  users: number;
}

/** `create` makes an engine for options; equal options share one. */
export function engineSharing<E extends { dispose(): Promise<void> }>(
  create: (options: EngineOptions) => Promise<E>,
): (options?: EngineOptions) => SharedEngine<E> {
  const entries = new Map<string, Entry<E>>();
  return (given) => {
    let options: EngineOptions;
    let key: string;
    try {
      options = checkOptions(given);
      const { backend = 'auto', threads = 'auto', worker, workerUrl } = options;
      key = JSON.stringify([backend, threads, worker, assetBase(options), String(workerUrl)]);
    } catch (error) {
      const engine = Promise.reject(error);
      engine.catch(() => {}); // for whoever waits for it
      return { engine, release() {} };
    }
    const forget = (entry: Entry<E>) => entries.get(key) === entry && entries.delete(key);
    let entry = entries.get(key);
    if (!entry) {
      const made: Entry<E> = (entry = { engine: create(options), users: 0 });
      made.engine.catch(() => forget(made)); // the next user tries again
      entries.set(key, made);
    }
    const { engine } = entry;
    const mine = entry;
    let held = true;
    mine.users++;
    return {
      engine,
      release(broken = false) {
        if (!held) return;
        held = false;
        if (broken) forget(mine);
        if (--mine.users > 0) return;
        setTimeout(() => {
          if (mine.users > 0) return;
          forget(mine);
          engine.then((made) => made.dispose()).catch(() => {});
        });
      },
    };
  };
}
