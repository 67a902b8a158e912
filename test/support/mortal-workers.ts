/** Workers of engines that a test can end: those that were started since `catchWorkers`, in order. */
export interface CaughtWorkers {
  /** Ends the newest one, as if it had crashed. */
  kill(): void;
  /** It has failed, and the browser says so. */
  fail(message?: string): void;
  /** An answer of it could not be read. */
  garble(): void;
  restore(): void;
}

export function catchWorkers(): CaughtWorkers {
  const workers: Worker[] = [];
  const RealWorker = globalThis.Worker;
  globalThis.Worker = class extends RealWorker {
    constructor(...given: ConstructorParameters<typeof Worker>) {
      super(...given);
      if (!/every-frame|image-files/.test(given[1]?.name ?? '')) workers.push(this);
    }
  };
  return {
    kill: () => workers.at(-1)!.terminate(),
    fail: (message = 'as asked for') => void workers.at(-1)!.dispatchEvent(new ErrorEvent('error', { message })),
    garble: () => void workers.at(-1)!.dispatchEvent(new MessageEvent('messageerror')),
    restore: () => void (globalThis.Worker = RealWorker),
  };
}
