/** Workers of engines that a test can end: those that were started since `catchWorkers`, in order. */
export interface CaughtWorkers {
  /** Script of those to come, in place of their own. */
  script: string | null;
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
  const caught: CaughtWorkers = {
    script: null,
    kill: () => workers.at(-1)!.terminate(),
    fail: (message = 'as asked for') => void workers.at(-1)!.dispatchEvent(new ErrorEvent('error', { message })),
    garble: () => void workers.at(-1)!.dispatchEvent(new MessageEvent('messageerror')),
    restore: () => void (globalThis.Worker = RealWorker),
  };
  globalThis.Worker = class extends RealWorker {
    constructor(script: string | URL, options?: WorkerOptions) {
      const isEngine = !/every-frame|image-files/.test(options?.name ?? '');
      super(isEngine && caught.script !== null ? caught.script : script, options);
      if (isEngine) workers.push(this);
    }
  };
  return caught;
}
