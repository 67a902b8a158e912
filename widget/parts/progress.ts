/** Progress of long work: a bar, progress and speed as text, and a cancel button. */
import type { FoveolaError } from '../../src/index.ts';
import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../strings/index.ts';

// Handles calls that were lost with the engine's worker.

/** Whether the call was lost with the engine's worker, which restarts automatically. */
export const isInterruption = (error: unknown): error is FoveolaError =>
  (error as FoveolaError | null)?.code === 'worker-lost';

/** Repeats the work if it was lost with a worker. After too many crashes the engine reports an error. */
export async function afterInterruption<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
}

export interface Progress {
  /** 0 to 1. Null if the end is not known. */
  done: number | null;
  /** Milliseconds since the start. */
  elapsed: number;
  /** Recording: frames so far, and media time in milliseconds. */
  frames?: number;
  mediaTime?: number;
  /** File: loaded and total bytes. Null if unknown. */
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
