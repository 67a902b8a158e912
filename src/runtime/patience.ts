/**
 * Waiting with a limit: for a server, a device or a script. A wait ends after a number of seconds of silence. Seconds
 * are counted by ticks, so a page that was blocked or suspended does not count its own pause as silence.
 */

/** Seconds of silence after which a wait ends. */
export const PATIENCE = 15;
/**
 * Seconds of silence for waits without progress: an image that an `<img>` loads, a file that is fetched with its hash.
 */
export const BLIND_PATIENCE = 8 * PATIENCE;

/**
 * Calls `over` once per silence: after `seconds` ticks without `renew`. Ticks for which `counts` returns false are not
 * counted.
 */
export class Patience {
  #silent = 0;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(over: () => void, seconds = PATIENCE, counts: () => boolean = () => true) {
    this.#timer = setInterval(() => {
      if (counts() && ++this.#silent === seconds) over();
    }, 1000);
  }

  /** Reports activity: the seconds start again. */
  renew(): void {
    this.#silent = 0;
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

/** The error of a wait that ended. */
export const silence = (seconds = PATIENCE): DOMException =>
  new DOMException(`no data arrived for ${seconds} s`, 'TimeoutError');

/** Whether this error, or an error that caused it, is a wait that ended. */
export const isSilence = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || isSilence(error.cause));

/** Describes the network problem if a response did not arrive or is incomplete. */
export const networkFault = (error: unknown, seconds = PATIENCE): string =>
  isSilence(error) ? `its server sent no data for ${seconds} s` : 'the connection was interrupted';

/** Settles like `work`, or rejects with the result of `late` after `seconds`. */
export function within<T>(work: Promise<T>, late: () => unknown = silence, seconds = PATIENCE): Promise<T> {
  return new Promise((resolve, reject) => {
    const patience = new Patience(() => end(reject)(late() as Error), seconds);
    const end =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        patience.end();
        settle(value);
      };
    work.then(end(resolve), end(reject));
  });
}

/**
 * fetch that rejects with `silence()` and closes the connection if the server sends nothing, neither a response nor its
 * next part. Only the time during which the body is being read counts.
 * @param watch is called with each wait for the server
 */
export async function patientFetch(
  input: RequestInfo | URL,
  init: RequestInit = {},
  watch: <T>(wait: Promise<T>) => Promise<T> = (wait) => wait,
): Promise<Response> {
  const given = init.signal;
  const ended = new AbortController();
  const pass = () => ended.abort(given!.reason);
  if (given?.aborted) pass();
  given?.addEventListener('abort', pass);
  const end = () => given?.removeEventListener('abort', pass);
  const waited = <T>(wait: Promise<T>, seconds = PATIENCE) =>
    watch(within(wait, silence, seconds)).catch((error: unknown) => {
      end();
      if (isSilence(error)) ended.abort();
      throw error;
    });
  const asked = fetch(input, { ...init, signal: ended.signal });
  const answer = await waited(asked, init.integrity ? BLIND_PATIENCE : PATIENCE);
  if (!answer.body) return (end(), answer);
  const reader = answer.body.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await waited(reader.read());
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      },
      cancel: (reason) => (end(), reader.cancel(reason)),
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers, url } = answer;
  return Object.defineProperty(new Response(body, { status, statusText, headers }), 'url', { value: url });
}
