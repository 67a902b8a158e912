/** The view after a test: its outcome, its measures, and what to do next. */
import { html, nothing, type TemplateResult } from 'lit';
import { wordsIn } from '../../../src/internal.ts';
import { moveInToolbar } from '../../tools/panels/roving.ts';
import type { PupilTestResult } from '../test-record.ts';
import { firstButton, qualityView, type Seen, share, type TestActions, whyNot } from '../views.ts';
import { compareView } from './compare.ts';
import { measuresView } from './result.ts';
import { openFile } from './setup.ts';
import type { PanelWords } from './words.ts';

export interface Summary extends Seen {
  readonly result: PupilTestResult;
  readonly language: string;
  readonly number: (value: number, digits: number) => string;
  /** Test before this one, or opened by the user. */
  readonly earlier: PupilTestResult | null;
  readonly millimetresPerPixel: number | null;
  /** Shown message about a problem. */
  readonly failure: unknown;
}

/** One tab stop: arrow keys move among the buttons. */
function actionsView(words: PanelWords, given: Summary, actions: TestActions): TemplateResult {
  const why = whyNot(words, given, given.number);
  const button = (word: string, act: () => void) =>
    html`<button type="button" part="button" tabindex="-1" @click=${act}>${word}</button>`;
  return html`<div
      class="row"
      role="toolbar"
      aria-label=${words.nextSteps}
      @keydown=${(event: KeyboardEvent) => moveInToolbar(event) && event.preventDefault()}
    >
      ${firstButton(words.repeat, actions.start, why)} ${button(words.back, actions.back)}
      ${button(words.exportCsv, actions.csv)} ${button(words.exportJson, actions.json)}
      ${button(words.compare, () => openFile(actions.compare))} ${button(words.report, actions.report)}
    </div>
    ${why ? html`<p class="notice" id="why">${why}</p>` : nothing}`;
}

export function summary(words: PanelWords, given: Summary, actions: TestActions): TemplateResult {
  const { result, language, number, failure } = given;
  const { protocol, complete, quality } = result;
  return html`<div class="summary" part="summary">
    <h2>${wordsIn(protocol.title, language)}</h2>
    <p>${complete ? words.finished : words.aborted} ${quality.good ? nothing : words.again}</p>
    <p>${words.samples(quality.frames, share(number, quality))}</p>
    ${quality.good ? nothing : qualityView(words, quality, number)} ${measuresView(words, result, number)}
    ${compareView(words, result, given.earlier, given)} ${failure} ${actionsView(words, given, actions)}
    <p class="notice">${words.research}</p>
  </div>`;
}
