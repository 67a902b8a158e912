/** The outcome of an analysis in one line, and advice on doubtful values. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Recording } from '../../../src/index.ts';
import type { Host } from '../../base/host.ts';
import type { AnyResult } from '../../base/kind.ts';
import type { Strings } from '../../strings/index.ts';
import type { Outcome } from '../analysis.ts';

/** Shares of frames that are worth a note. */
const few = 0.8;
const many = 0.1;
/** A value, because the build removes spaces at the ends of template texts. */
const between = ' · ';

function notesOf({ summary: s, number }: Strings, of: Outcome): string[] {
  const { frames, found, doubtful, complete, everyFrame, jumps, repeated, error } = of;
  const percent = (share: number) => `${number(100 * share)} %`;
  return [
    !complete && (error ? s.stopped : s.cancelled),
    !everyFrame && s.played,
    found / frames < few && s.few(percent(found / frames)),
    doubtful / frames > many && s.manyDoubtful(percent(doubtful / frames)),
    jumps.length > 0 && s.jumps(jumps.length),
    repeated > 0 && s.repeated(repeated),
  ].filter((text) => text !== false);
}

/** Parts of an element that the summary reads. */
interface Parts<R extends AnyResult> {
  readonly host: Host<R>;
  readonly recorder: { readonly recording: Recording | null };
}

/** Frames, found, blinks, closures, doubtful frames, and notes that open with a click. */
export function summary<R extends AnyResult>({ host, recorder }: Parts<R>, of: Outcome): TemplateResult {
  const { strings } = host;
  const { summary: s, number, frameCount } = strings;
  const { frames, found, doubtful } = of;
  const events = host.kind.eventsOf ? (recorder.recording?.events.all ?? []) : null;
  const count = (kind: string) => events?.filter((event) => event.kind === kind).length ?? 0;
  const notes = notesOf(strings, of);
  const figures = [
    frameCount(frames),
    s.found(`${number((100 * found) / frames, 1)} %`),
    ...(events ? [s.blinks(count('blink')), s.closures(count('closure'))] : []),
    ...(host.kind.doubtful ? [s.doubtful(doubtful)] : []),
  ];
  return html`<p class="summary" part="summary">
      ${figures.map((text, i) => html`${i ? html`<span aria-hidden="true">${between}</span>` : nothing}<bdi>${text}</bdi>`)}
    </p>
    ${
      notes.length
        ? html`<details class="notes">
            <summary>${s.notes(notes.length)}</summary>
            <ul>
              ${notes.map((text) => html`<li>${text}</li>`)}
            </ul>
          </details>`
        : nothing
    }`;
}
