/** Views before and after a test. During a test the screen shows only the stimulus. */
import { html, nothing, type TemplateResult } from 'lit';
import { type Laterality, type Protocol, type RecordingQuality } from '../../src/index.ts';
import { wordsIn } from '../../src/internal.ts';
import type { PupilTestResult } from './test-record.ts';
import type { TestWords } from './pupil-test.en.ts';

export interface TestActions {
  choose(side: Asked): void;
  start(): void;
  csv(): void;
  json(): void;
  midi: (() => void) | null;
  serial: (() => void) | null;
}

/** View for two eyes, or which eye the single eye is. */
export type Asked = 'facing' | 'mirrored' | 'left' | 'right' | 'unknown';

const question = (
  words: TestWords,
  { choices, value }: { choices: readonly Asked[]; value: string },
  actions: TestActions,
): TemplateResult =>
  html`<label class="question"
      >${choices.includes('facing') ? words.whichView : words.whichEye}
      <select @change=${(event: Event) => actions.choose((event.target as HTMLSelectElement).value as Asked)}>
        ${choices.map((one) => html`<option value=${one} .selected=${one === value}>${words.sides[one]}</option>`)}
      </select></label
    >${value === 'unknown' ? html`<p class="notice">${words.sideless}</p>` : nothing}`;

const textButton = (word: string, act: () => void, first = false): TemplateResult =>
  html`<button type="button" part="button" class=${first ? 'first' : nothing} @click=${act}>${word}</button>`;

/** Quality as text: the problems, or that there are none. */
export function qualityView(words: TestWords, quality: RecordingQuality | null): TemplateResult {
  if (!quality) return html`<p class="quality">${words.waiting}</p>`;
  if (quality.good) return html`<p class="quality good">${words.good}</p>`;
  return html`<ul class="quality faults">
    ${quality.faults.map((fault) => html`<li>${words.faults[fault]}</li>`)}
  </ul>`;
}

export function preparation(
  words: TestWords,
  language: string,
  given: {
    protocol: Protocol;
    quality: RecordingQuality | null;
    flashes: boolean;
    connected: string;
    failure: string | null;
    /** Question for the user if it is not known which eye is where. Null: no question. */
    asked: { choices: readonly Asked[]; value: string } | null;
  },
  actions: TestActions,
): TemplateResult {
  const { protocol, quality, flashes, connected, failure, asked } = given;
  const { description } = protocol;
  return html`<div class="panel" part="panel">
    <h2>${wordsIn(protocol.title, language)}</h2>
    ${description ? html`<p>${wordsIn(description, language)}</p>` : nothing}
    ${flashes ? html`<p class="warning">${words.warning}</p>` : nothing}
    ${protocol.eyes === 2 ? html`<p>${words.bothEyes}</p>` : nothing} ${qualityView(words, quality)}
    ${asked ? question(words, asked, actions) : nothing}
    ${failure === null ? nothing : html`<p class="warning" role="alert">${failure}</p>`}
    <div class="row">
      ${textButton(!quality || quality.good ? words.start : words.startAnyway, actions.start, true)}
      ${actions.midi ? textButton(words.midi, actions.midi) : nothing}
      ${actions.serial ? textButton(words.serial, actions.serial) : nothing}
    </div>
    ${connected ? html`<p>${connected}</p>` : nothing}
    <p class="keys">${words.keys}</p>
    <p class="notice">${words.research}</p>
  </div>`;
}

/** A table whose first column has the row headers. */
function table(caption: string, heads: readonly string[], rows: readonly (readonly string[])[]): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${caption}>
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([first, ...others]) =>
            html`<tr>
              <th scope="row">${first}</th>
              ${others.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

type Numbers = (value: number, digits: number) => string;

/** Measures of the test that the protocol requests and that could be computed. */
function measuresView(words: TestWords, { measures, unit }: PupilTestResult, number: Numbers): TemplateResult {
  const { reflexes = [], afferentDefect, anisocoria, hippus = [], tasks = [], warnings } = measures;
  const shown = (value: number, digits: number) => (Number.isFinite(value) ? number(value, digits) : '–');
  const w = words.measures;
  const name = (pupil: number, eye: Laterality) =>
    eye !== 'unknown' ? w[eye] : measures.series.length === 1 ? w.eye : w.halves[pupil]!;
  const digits = unit === 'mm' ? 2 : 1;
  return html`${
    reflexes.length
      ? table(
          w.reflexes,
          [
            w.flash,
            w.latency,
            w.latencyInterval,
            `${w.baseline}, ${unit}`,
            `${w.amplitude}, ${unit}`,
            `${w.amplitude}, %`,
            `${w.velocity}, ${unit}/s`,
            w.recovery,
          ],
          reflexes.map((one) => [
            `${one.label ?? words.steps.flash}, ${name(one.pupil, one.eye)}`,
            shown(one.latency, 0),
            Number.isFinite(one.latencyLow) ? w.range(number(one.latencyLow, 0), number(one.latencyHigh, 0)) : '–',
            shown(one.baseline, digits),
            shown(one.amplitude, digits),
            shown(one.amplitudePercent, 1),
            shown(one.peakConstrictionVelocity, digits),
            shown(one.t75, 0),
          ]),
        )
      : nothing
  }
  ${afferentDefect ? html`<p>${w.afferent(shown(afferentDefect.score, 2), shown(afferentDefect.standardError, 2), afferentDefect.eye === 'none' ? null : w[afferentDefect.eye])}</p>` : nothing}
  ${anisocoria ? html`<p>${w.anisocoria(`${shown(Math.abs(anisocoria.difference), digits)} ${unit}`, anisocoria.larger === 'none' ? null : w[anisocoria.larger])}</p>` : nothing}
  ${hippus.map((one, i) => (one ? html`<p>${w.hippus(name(i, one.eye ?? 'unknown'), `${shown(one.rms, digits + 1)} ${unit}`, shown(one.peakFrequency, 2))}</p>` : nothing))}
  ${
    tasks.length
      ? table(
          w.tasks,
          [w.task, `${w.dilation}, ${unit}`],
          tasks.map((one) => [`${one.label ?? w.task}, ${name(one.pupil, one.eye)}`, shown(one.dilation, digits + 1)]),
        )
      : nothing
  }
  ${
    warnings.length
      ? html`<ul class="faults">
          ${warnings.map((text) => html`<li>${text}</li>`)}
        </ul>`
      : nothing
  }`;
}

export function summary(
  words: TestWords,
  language: string,
  result: PupilTestResult,
  number: Numbers,
  actions: TestActions,
): TemplateResult {
  const { protocol, complete, quality, markers, eyes } = result;
  const first = eyes[0]![0]?.timestamp ?? 0;
  return html`<div class="summary" part="summary">
    <h2>${wordsIn(protocol.title, language)}</h2>
    <p>${complete ? words.finished : words.aborted} ${quality.good ? nothing : words.again}</p>
    <p>${words.samples(quality.frames, `${number(100 * quality.found, 0)} %`)}</p>
    ${quality.good ? nothing : qualityView(words, quality)} ${measuresView(words, result, number)}
    ${
      markers.length
        ? table(
            words.markers,
            [words.marker, words.time],
            markers.map(({ label, timestamp }) => [label, number((timestamp - first) / 1000, 3)]),
          )
        : nothing
    }
    <div class="row">
      ${textButton(words.repeat, actions.start, true)} ${textButton(words.exportCsv, actions.csv)}
      ${textButton(words.exportJson, actions.json)}
    </div>
    <p class="notice">${words.research}</p>
  </div>`;
}
