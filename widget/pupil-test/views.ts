/** What the element shows before and after a test; during one, the screen belongs to the person. */
import { html, nothing, type TemplateResult } from 'lit';
import { type Protocol, type RecordingQuality, wordsIn } from '../../src/index.ts';
import type { PupilTestResult } from './test-record.ts';
import type { TestWords } from './pupil-test.en.ts';

export interface TestActions {
  start(): void;
  csv(): void;
  json(): void;
  midi: (() => void) | null;
  serial: (() => void) | null;
}

const textButton = (word: string, act: () => void, first = false): TemplateResult =>
  html`<button type="button" part="button" class=${first ? 'first' : nothing} @click=${act}>${word}</button>`;

/** Quality in words: what is wrong, or that nothing is. */
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
  },
  actions: TestActions,
): TemplateResult {
  const { protocol, quality, flashes, connected, failure } = given;
  const { description } = protocol;
  return html`<div class="panel" part="panel">
    <h2>${wordsIn(protocol.title, language)}</h2>
    ${description ? html`<p>${wordsIn(description, language)}</p>` : nothing}
    ${flashes ? html`<p class="warning">${words.warning}</p>` : nothing}
    ${protocol.eyes === 2 ? html`<p>${words.bothEyes}</p>` : nothing} ${qualityView(words, quality)}
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

export function summary(
  words: TestWords,
  language: string,
  result: PupilTestResult,
  number: (value: number, digits: number) => string,
  actions: TestActions,
): TemplateResult {
  const { protocol, complete, quality, markers, eyes } = result;
  const first = eyes[0]![0]?.timestamp ?? 0;
  return html`<div class="summary" part="summary">
    <h2>${wordsIn(protocol.title, language)}</h2>
    <p>${complete ? words.finished : words.aborted} ${quality.good ? nothing : words.again}</p>
    <p>${words.samples(quality.frames, `${number(100 * quality.found, 0)} %`)}</p>
    ${quality.good ? nothing : qualityView(words, quality)}
    ${
      markers.length
        ? html`<div class="scroll" tabindex="0" role="group" aria-label=${words.markers}>
            <table>
              <caption>
                ${words.markers}
              </caption>
              <thead>
                <tr>
                  <th scope="col">${words.marker}</th>
                  <th scope="col">${words.time}</th>
                </tr>
              </thead>
              <tbody>
                ${markers.map(
                  ({ label, timestamp }) =>
                    html`<tr>
                      <td>${label}</td>
                      <td>${number((timestamp - first) / 1000, 3)}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
        : nothing
    }
    <div class="row">
      ${textButton(words.repeat, actions.start, true)} ${textButton(words.exportCsv, actions.csv)}
      ${textButton(words.exportJson, actions.json)}
    </div>
    <p class="notice">${words.research}</p>
  </div>`;
}
