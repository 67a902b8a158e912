/** Progress of long work: a bar, how far it is, how fast, and the way to cancel it. */
import type { FoveolaError } from '../../src/index.ts';
import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../strings/index.ts';

// Calls that went with the engine's worker.

/** Whether the call went with the engine's worker, which is started again by itself. */
export const isInterruption = (error: unknown): error is FoveolaError =>
  (error as FoveolaError | null)?.code === 'worker-lost';

/** Does it again where it went with a worker: the engine says when it has died too often. */
export async function afterInterruption<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
}

export interface Progress {
  /** 0 to 1; null where the end is not known. */
  done: number | null;
  /** Milliseconds since the work began. */
  elapsed: number;
  /** Of a recording: frames so far, and milliseconds into it. */
  frames?: number;
  mediaTime?: number;
  /** Of a file: bytes that are there, and of the whole; null where that is not known. */
  loaded?: number;
  total?: number | null;
}

const MEGABYTE = 1e6;

export function progressBar(s: Strings, label: string, progress: Progress, cancel: () => void): TemplateResult {
  const { done, frames, mediaTime = 0, elapsed, loaded, total = null } = progress;
  const percent = done === null ? null : Math.floor(100 * done);
  const speed = elapsed > 500 && mediaTime > 0 ? `${s.number(mediaTime / elapsed, 1)}×` : '';
  const left = done && done > 0.02 && elapsed > 1000 ? s.secondsLeft(Math.ceil((elapsed / done - elapsed) / 1000)) : '';
  const megabytes = (bytes: number) => s.number(bytes / MEGABYTE, 1);
  const size = loaded ? s.megabytes(megabytes(loaded), total === null ? null : megabytes(total)) : '';
  return html`<div class="progress" part="progress">
    <progress aria-label=${label} max="1" .value=${done ?? 0} ?data-unknown=${done === null}></progress>
    <span>
      ${percent === null ? nothing : html`<b><bdi dir="ltr">${percent} %</bdi></b>`}
      ${frames === undefined ? nothing : s.frameCount(frames)}
      ${[size, speed, left].filter(Boolean).map((text) => html`· <bdi>${text}</bdi> `)}
    </span>
    <button type="button" part="button" @click=${cancel}>${s.cancel}</button>
  </div>`;
}
