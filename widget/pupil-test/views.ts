/** Views before and after a test. During a test the screen shows only the stimulus. */
import { html, nothing, type TemplateResult } from 'lit';
import { type Protocol, type RecordingQuality } from '../../src/index.ts';
import { wordsIn } from '../../src/internal.ts';
import type { ElementState } from '../base/kind.ts';
import { type Steady, steadyFor } from './steady.ts';
import type { TestWords } from './pupil-test.en.ts';

type Numbers = (value: number, digits: number) => string;

export interface TestActions {
  choose(side: Asked): void;
  start(): void;
  /** Prepares another test. */
  back(): void;
  csv(): void;
  /** Compares the test with an earlier one, as JSON. */
  compare(text: string): void;
  json(): void;
  report(): void;
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

export const firstButton = (word: string, act: () => void, why = ''): TemplateResult =>
  html`<button
    type="button"
    part="button"
    class="first"
    aria-disabled=${why ? 'true' : nothing}
    aria-describedby=${why ? 'why' : nothing}
    @click=${() => why || act()}
  >
    ${word}
  </button>`;

export const share = (number: Numbers, { found }: RecordingQuality) => `${number(100 * found, 0)} %`;

/** Quality as text: the problems, or that there are none. `lasting`: seconds that the check covers. */
export function qualityView(
  words: TestWords,
  quality: RecordingQuality | null,
  number: Numbers,
  lasting?: { found: boolean; seconds: number },
): TemplateResult {
  if (!quality) return html`<p class="quality">${words.waiting}</p>`;
  if (quality.good) return html`<p class="quality good">${words.good}</p>`;
  // A pupil that is found again was not in view for some of the time.
  const partly = lasting?.found && words.partly(share(number, quality), number(lasting.seconds, 0));
  return html`<ul class="quality faults">
    ${quality.faults.map((fault) => html`<li>${fault === 'eye-not-in-view' && partly ? partly : words.faults[fault]}</li>`)}
  </ul>`;
}

/** The source, its quality and its pupils. */
export interface Seen {
  phase: ElementState;
  quality: RecordingQuality | null;
  steady: Steady;
}

interface Preparing extends Seen {
  protocol: Protocol;
  /** Seconds that the quality covers. */
  seconds: number;
  flashes: boolean;
  failure: string | null;
  /** Question for the user if it is not known which eye is where. Null: no question. */
  asked: { choices: readonly Asked[]; value: string } | null;
  /** Choice of protocol and devices, once they have loaded. */
  setup: unknown;
}

/** Why no images arrive. '' if they do. */
export function sourceFault({ sources, waiting, faults }: TestWords, phase: ElementState, quality: unknown): string {
  if (phase === 'running') return quality ? '' : faults['no-frames'];
  return sources[phase as keyof typeof sources] ?? waiting;
}

/** Why the test cannot start. '' if it can. */
export function whyNot(words: TestWords, { phase, quality, steady }: Seen, number: Numbers): string {
  if (steady.ready && quality) return '';
  return (
    sourceFault(words, phase, quality) ||
    (steady.found
      ? words.tracked(number(Math.min(steady.lasted, steadyFor) / 1000, 1))
      : steady.eyes === 2
        ? words.bothUntracked
        : words.untracked)
  );
}

function stagesView(words: TestWords, given: Preparing, number: Numbers, actions: TestActions): TemplateResult {
  const { protocol, quality, phase, asked, steady, seconds } = given;
  const { stages: names } = words;
  const why = whyNot(words, given, number);
  const fault = sourceFault(words, phase, quality);
  const stage = (done: boolean, name: string, content: unknown) =>
    html`<li class=${done ? 'done' : nothing}>
      <h3>${name}</h3>
      ${content}
    </li>`;
  const lasting = { found: steady.found, seconds };
  const pictures = html`<p>${fault || words.opened}</p>
    ${protocol.eyes === 2 ? html`<p>${words.bothEyes}</p>` : nothing}`;
  const image = html`${quality ? qualityView(words, quality, number, lasting) : nothing}
  ${asked ? question(words, asked, actions) : nothing}`;
  const start = html`<div class="row">
      ${firstButton(!quality || quality.good || why ? words.start : words.startAnyway, actions.start, why)}
      <p class="why" id="why">${why}</p>
    </div>
    <p class="keys">${words.keys}</p>`;
  return html`<ol class="stages">
    ${stage(!fault, names.camera, pictures)} ${stage(!!quality?.good, names.quality, image)}
    ${stage(false, names.start, start)}
  </ol>`;
}

export function preparation(
  words: TestWords,
  language: string,
  given: Preparing,
  number: Numbers,
  actions: TestActions,
): TemplateResult {
  const { protocol, flashes, failure, setup } = given;
  const { description } = protocol;
  return html`<div class="panel" part="panel">
    <h2>${wordsIn(protocol.title, language)}</h2>
    ${description ? html`<p>${wordsIn(description, language)}</p>` : nothing}
    ${flashes ? html`<p class="warning">${words.warning}</p>` : nothing}
    ${failure === null ? nothing : html`<p class="warning" role="alert">${failure}</p>`}
    ${stagesView(words, given, number, actions)}${setup}
    <p class="notice">${words.research}</p>
  </div>`;
}
