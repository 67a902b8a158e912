/**
 * The connection over which a recording is read. A network that is slow is no reader that hangs, so the time until each part of
 * an answer comes counts as waiting. A connection that breaks is taken up again, as long as something comes each time; a server
 * that sends nothing more ends the reading.
 */
import { isSilence, networkFault, patientFetch } from '../runtime/patience.ts';
import { waitingFor } from './work-done.ts';

/** Seconds before each new attempt; an attempt that brought something starts the list again. */
const RETRY_AFTER = [0.5, 1, 2];

export class Connection {
  /** Why nothing more comes, in words; null where that was not the reason. */
  fault: string | null = null;
  #breaks = 0;

  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const watch = async <T>(wait: Promise<T>): Promise<T> => {
      const got = await waitingFor(wait);
      if ((got as { value?: unknown }).value) this.#breaks = 0;
      return got;
    };
    const answer = await patientFetch(input, init, watch);
    if (!answer.ok) this.fault = `its server answers HTTP ${answer.status}`;
    return answer;
  };

  /** Seconds until a request that failed is made again; null: it is not. */
  readonly retryAfter = (_attempts: number, error: unknown): number | null => {
    const after = isSilence(error) ? undefined : RETRY_AFTER[this.#breaks++];
    if (after !== undefined) return after;
    this.fault = networkFault(error);
    return null;
  };
}
