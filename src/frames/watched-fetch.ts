/**
 * fetch for a reader in a worker: a network that is slow is no reader that hangs, so the time until each part of an answer
 * comes counts as waiting.
 */
import { waitingFor } from './work-done.ts';

export async function watchedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const answer = await waitingFor(fetch(input, init));
  if (!answer.body) return answer;
  const reader = answer.body.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await waitingFor(reader.read());
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = answer;
  const wrapped = new Response(body, { status, statusText, headers });
  Object.defineProperty(wrapped, 'url', { value: answer.url });
  return wrapped;
}
