/** Choice of the protocol with its durations, and devices that set markers. */
import { html, nothing, type TemplateResult } from 'lit';
import {
  planOf,
  type Protocol,
  type ProtocolStep,
  protocols,
  type ProtocolName,
  type StimulusScreen,
} from '../../../src/index.ts';
import { wordsIn } from '../../../src/internal.ts';
import { moveInToolbar } from '../../tools/panels/roving.ts';
import { hasMidi, hasSerial } from './devices.ts';
import { colorName } from './names.ts';
import type { PanelWords } from './words.ts';

export interface SetupActions {
  /** A protocol, or its JSON. Returns whether it is valid. */
  change(protocol: Protocol | string): boolean;
  save(protocol: Protocol): void;
  connect(device: 'MIDI' | 'Serial'): void;
  describe(screen: StimulusScreen): void;
}

export interface Setup {
  readonly protocol: Protocol;
  readonly language: string;
  readonly number: (value: number, digits: number) => string;
  /** Name of the connected device. */
  readonly connected: string;
  readonly screen: StimulusScreen;
}

/** Positions of a step in the lists of steps. */
type Path = readonly number[];

type Change = { readonly duration?: number; readonly times?: number };

/** The protocol with a changed step. Its id no longer names a shipped protocol. */
export function changedStep(protocol: Protocol, path: Path, change: Change): Protocol {
  const within = (steps: readonly ProtocolStep[], [at, ...rest]: Path): ProtocolStep[] =>
    steps.map((step, i) => {
      if (i !== at) return step;
      if (!rest.length) return { ...step, ...change } as ProtocolStep;
      return step.type === 'repeat' ? { ...step, steps: within(step.steps, rest) } : step;
    });
  const id = Object.hasOwn(protocols, protocol.id) ? `${protocol.id}-changed` : protocol.id;
  return { ...protocol, id, steps: within(protocol.steps, path) };
}

const secondsOf = (protocol: Protocol) =>
  planOf(protocol).reduce((sum, { step }) => sum + ('duration' in step ? step.duration : 0), 0) / 1000;

function stepName(words: PanelWords, step: Exclude<ProtocolStep, { type: 'repeat' }>, language: string): string {
  const name = words.steps[step.type];
  if (step.type === 'flash') {
    const eye = step.eye === 'left' || step.eye === 'right' ? [words[step.eye]] : [];
    return [name, ...eye, words.colors[colorName(step.color)]].join(', ');
  }
  return 'text' in step ? `${name}: ${wordsIn(step.text, language)}` : name;
}

/** A field for a number of seconds or of repetitions. The protocol itself is checked as a whole. */
const field = (label: string, value: number, change: (value: number) => boolean, step: string): TemplateResult =>
  html`<input
    type="number"
    aria-label=${label}
    .value=${String(value)}
    min="0"
    step=${step}
    @change=${({ target }: Event) => {
      const input = target as HTMLInputElement;
      if (!change(input.valueAsNumber)) input.value = String(value);
    }}
  />`;

function rows(
  words: PanelWords,
  { protocol, language }: Setup,
  change: (path: Path, change: Change) => boolean,
): TemplateResult[] {
  const list = (steps: readonly ProtocolStep[], above: Path): TemplateResult[] =>
    steps.flatMap((step, i) => {
      const path = [...above, i];
      if (step.type === 'repeat') {
        const times = field(words.timesOf, step.times, (to) => change(path, { times: to }), '1');
        return [
          html`<tr>
            <th scope="row">${words.loop}</th>
            <td>${times} ${words.times}</td>
          </tr>`,
          ...list(step.steps, path),
        ];
      }
      const name = stepName(words, step, language);
      const cell =
        'duration' in step
          ? field(words.secondsOf(name), step.duration / 1000, (to) => change(path, { duration: to * 1000 }), 'any')
          : words.byKey;
      return [
        html`<tr class=${above.length ? 'inner' : nothing}>
          <th scope="row">${name}</th>
          <td>${cell}</td>
        </tr>`,
      ];
    });
  return list(protocol.steps, []);
}

export function openFile(change: (text: string) => unknown): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.json,application/json';
  input.addEventListener('change', () => void input.files?.[0]?.text().then(change, reportError));
  input.click();
}

function protocolView(words: PanelWords, setup: Setup, actions: SetupActions): TemplateResult {
  const { protocol, language } = setup;
  const title = (one: Protocol) => wordsIn(one.title, language);
  const shipped = Object.keys(protocols) as ProtocolName[];
  const own = shipped.find((name) => protocols[name] === protocol);
  const change = (path: Path, to: Change) => actions.change(changedStep(protocol, path, to));
  return html`<label class="question"
      >${words.choose}
      <select
        @change=${({ target }: Event) => actions.change(protocols[(target as HTMLSelectElement).value as ProtocolName] ?? protocol)}
      >
        ${own ? nothing : html`<option value="" selected>${words.custom(title(protocol))}</option>`}
        ${shipped.map((name) => html`<option value=${name} .selected=${name === own}>${title(protocols[name])}</option>`)}
      </select></label
    >
    <table class="steps">
      <thead>
        <tr>
          <th scope="col">${words.step}</th>
          <th scope="col">${words.lasting}</th>
        </tr>
      </thead>
      <tbody>
        ${rows(words, setup, change)}
      </tbody>
    </table>
    <div class="row">
      <button type="button" part="button" @click=${() => actions.save(protocol)}>${words.save}</button>
      <button type="button" part="button" @click=${() => openFile((text) => actions.change(text))}>
        ${words.open}
      </button>
    </div>`;
}

function devicesView(words: PanelWords, connected: string, actions: SetupActions): TemplateResult {
  const button = (word: string, device: 'MIDI' | 'Serial') =>
    html`<button type="button" part="button" @click=${() => actions.connect(device)}>${word}</button>`;
  const [midi, serial] = [hasMidi(), hasSerial()];
  return html`<p class="notice">${midi || serial ? words.devicesHint : words.noDevices}</p>
    <div class="row">
      ${midi ? button(words.midi, 'MIDI') : nothing}${serial ? button(words.serial, 'Serial') : nothing}
    </div>
    ${connected ? html`<p role="status">${words.connected(connected)}</p>` : nothing}`;
}

/** The description of the screen: a field per number. An empty field is not known. */
function screenView(words: PanelWords, { screen }: Setup, { describe }: SetupActions): TemplateResult {
  const { field = {}, wavelengths = {}, lag, lagFrom = 'stated' } = screen;
  const without = <T extends object>(all: T, name: keyof T, value: unknown): T | undefined => {
    const rest = Object.entries({ ...all, [name]: value }).filter(([, one]) => one !== undefined);
    return rest.length ? (Object.fromEntries(rest) as T) : undefined;
  };
  const put = (name: keyof StimulusScreen, value: unknown) => describe(without(screen, name, value) ?? {});
  const row = (label: string, value: number | undefined, set: (value: number | undefined) => void) =>
    html`<label
      >${label}
      <input
        type="number"
        min="0"
        step="any"
        .value=${value === undefined ? '' : String(value)}
        @change=${({ target }: Event) => {
          const { value, valueAsNumber } = target as HTMLInputElement;
          set(value === '' ? undefined : valueAsNumber);
        }}
      />
    </label>`;
  const own = (name: 'white' | 'black' | 'illuminance' | 'lag') =>
    row(words.screenFields[name], screen[name], (value) => put(name, value));
  const angle = (name: 'width' | 'height') =>
    row(words.screenFields[name], field[name], (value) => put('field', without(field, name, value)));
  const peak = (name: 'red' | 'green' | 'blue') =>
    row(words.screenFields[name], wavelengths[name], (value) => put('wavelengths', without(wavelengths, name, value)));
  return html`<p class="notice">${words.screenHint}</p>
    <div class="fields">
      ${own('white')} ${own('black')} ${own('illuminance')} ${angle('width')} ${angle('height')} ${peak('red')}
      ${peak('green')} ${peak('blue')} ${own('lag')}
      <label
        >${words.lagFrom}
        <select
          ?disabled=${lag === undefined}
          @change=${({ target }: Event) => put('lagFrom', (target as HTMLSelectElement).value)}
        >
          <option value="stated" .selected=${lagFrom === 'stated'}>${words.stated}</option>
          <option value="measured" .selected=${lagFrom === 'measured'}>${words.measuredHere}</option>
        </select>
      </label>
    </div>`;
}

/** Opens and closes the panel of a button. */
function toggle({ currentTarget }: Event): void {
  const button = currentTarget as HTMLElement;
  const open = button.getAttribute('aria-expanded') !== 'true';
  button.setAttribute('aria-expanded', String(open));
  (button.getRootNode() as ShadowRoot).getElementById(button.getAttribute('aria-controls')!)!.hidden = !open;
}

/** The buttons are one tab stop. */
export function setupView(words: PanelWords, setup: Setup, actions: SetupActions): TemplateResult {
  const { protocol, language, number, connected } = setup;
  const title = words.protocol(wordsIn(protocol.title, language), number(secondsOf(protocol), 0));
  const opener = (word: string, panel: string) =>
    html`<button
      type="button"
      part="button"
      tabindex=${panel === 'protocol' ? 0 : -1}
      aria-expanded="false"
      aria-controls=${panel}
      @click=${toggle}
    >
      ${word}
    </button>`;
  return html`<div
      class="row openers"
      role="toolbar"
      aria-label=${words.setup}
      @keydown=${(event: KeyboardEvent) => moveInToolbar(event) && event.preventDefault()}
    >
      ${opener(title, 'protocol')} ${opener(words.screen, 'screen')} ${opener(words.devices, 'devices')}
    </div>
    <section id="protocol" hidden aria-label=${words.choose}>${protocolView(words, setup, actions)}</section>
    <section id="screen" hidden aria-label=${words.screen}>${screenView(words, setup, actions)}</section>
    <section id="devices" hidden aria-label=${words.devices}>${devicesView(words, connected, actions)}</section>`;
}
