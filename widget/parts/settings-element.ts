/**
 * Settings of an element: what its attributes and its panel give to the tracker, with undo, presets as JSON files, and
 * the panel that is built from the parameter table. An element without a table has no panel.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { asFoveolaError, FoveolaError, type ParameterTable, resolveParameters, version } from '../../src/index.ts';
import { History } from './history.ts';
import { parameterPanel, type PanelActions } from './parameter-panel.ts';
import { SourceElement } from './source-element.ts';

export type Settings = Record<string, unknown>;

export abstract class SettingsElement<R extends { timestamp: number; dropped: number }> extends SourceElement<R> {
  /** Parameters by their names in the table, beside those that have an attribute. */
  @property({ attribute: false }) settings: Settings = {};
  /** Shows the settings. */
  @property({ type: Boolean, reflect: true, attribute: 'settings-open' }) settingsOpen = false;

  @state() private problem: FoveolaError | null = null;
  /** What the user did, to be taken back. */
  protected readonly history = new History();

  /** What the panel offers; its defaults are those of the element. */
  protected get table(): ParameterTable | null {
    return null;
  }

  /** Parameters that are properties of the element under the same name; null there means: not given. */
  protected get ownParameters(): readonly string[] {
    return [];
  }

  /** Parameters that stand first in the panel, and those that it does not show. */
  protected get panelFirst(): readonly string[] {
    return [];
  }
  protected get panelHidden(): readonly string[] {
    return [];
  }

  /** Named settings that come with the element; each gives some parameters and leaves the others. */
  protected get builtInPresets(): Readonly<Record<string, Settings>> {
    return {};
  }

  /** Further settings in the panel. */
  protected renderPanelExtra(): TemplateResult | typeof nothing {
    return nothing;
  }

  /** What was given, by attributes, by the panel or by the page; the rest has its default. */
  protected get given(): Settings {
    const given = { ...this.settings };
    for (const name of this.ownParameters) {
      const value = this.#own[name];
      if (value !== null && value !== undefined) given[name] = value;
    }
    return given;
  }

  protected override parameters(): Settings {
    return this.given;
  }

  protected override defaultOf(name: string): unknown {
    return this.table?.[name]?.default;
  }

  /** The default of every parameter in the table. */
  protected get defaults(): Settings {
    return Object.fromEntries(Object.entries(this.table ?? {}).map(([name, { default: value }]) => [name, value]));
  }

  /** Throws 'invalid-argument' where a setting is unknown or out of its range. */
  protected checkSettings(settings: Settings): void {
    if (this.table) resolveParameters(this.table, settings as never, 'Settings');
  }

  /**
   * Changes settings so that it can be taken back; `undefined` gives one its default again. Changes of the same `key`
   * that follow each other closely are taken back together.
   */
  protected edit(changes: Settings, key?: string): void {
    const before = Object.fromEntries(Object.keys(changes).map((name) => [name, this.given[name]]));
    // Boxes are compared by what is in them; NaN, which JSON has not, is the same as itself.
    const same = (a: unknown, b: unknown) =>
      Object.is(a, b) || (a instanceof Object && JSON.stringify(a) === JSON.stringify(b));
    if (Object.keys(changes).every((name) => same(changes[name], before[name]))) return;
    this.#write(changes);
    this.remember({
      undo: () => this.#write(before),
      redo: () => this.#write(changes),
      ...(key !== undefined && { key }),
    });
  }

  protected override closing(): void {
    super.closing();
    this.history.dropSource();
  }

  /** Something that the user did and may take back. */
  protected remember(deed: Parameters<History['add']>[0]): void {
    this.history.add(deed);
    this.requestUpdate();
  }

  /** Takes back the last change; false when there is none. */
  undo(): boolean {
    const done = this.history.undo();
    if (done) this.announce(this.strings.undone);
    this.requestUpdate();
    return done;
  }

  redo(): boolean {
    const done = this.history.redo();
    if (done) this.announce(this.strings.redone);
    this.requestUpdate();
    return done;
  }

  /** The settings as JSON, to be kept and given to `importSettings` on this or another page. */
  exportSettings(): string {
    const { localName: element, given: parameters } = this;
    return `${JSON.stringify({ software: 'foveola', version, element, parameters }, null, 2)}\n`;
  }

  /** Takes settings from `exportSettings`; those that are not in it get their defaults. Throws 'invalid-argument'. */
  importSettings(json: string): void {
    const bad = (text: string, cause?: unknown) => new FoveolaError('invalid-argument', text, { cause });
    let file: { software?: unknown; element?: unknown; parameters?: unknown };
    try {
      file = JSON.parse(json) as typeof file;
    } catch (cause) {
      throw bad('The settings are no JSON. Take a file that this element saved.', cause);
    }
    const parameters = file?.parameters as Settings | null | undefined;
    if (file?.software !== 'foveola' || typeof parameters !== 'object' || parameters === null)
      throw bad('The file has no foveola settings in it. Take a file that this element saved.');
    if (file.element !== this.localName)
      throw bad(`The settings are those of <${String(file.element)}>, and this is <${this.localName}>.`);
    this.checkSettings(parameters);
    this.#replace(parameters);
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (!this.settingsOpen) this.problem = null;
  }

  get #own(): Settings {
    return this as unknown as Settings;
  }

  #write(changes: Settings): void {
    const settings = { ...this.settings };
    for (const [name, value] of Object.entries(changes)) {
      if (this.ownParameters.includes(name)) this.#own[name] = value ?? null;
      else if (value === undefined || value === null) delete settings[name];
      else settings[name] = value;
    }
    this.settings = settings;
  }

  /** All settings at once; what is not among them gets its default. */
  #replace(settings: Settings): void {
    this.edit({ ...Object.fromEntries(Object.keys(this.given).map((name) => [name, undefined])), ...settings });
  }

  readonly #panelActions: PanelActions = {
    set: (name, value) => this.edit({ [name]: value === this.defaultOf(name) ? undefined : value }, name),
    reset: (name) => this.edit({ [name]: undefined }),
    resetAll: () => this.#replace({}),
    preset: (name) => this.edit({ ...this.builtInPresets[name] }),
    save: () => this.saveSettings(this.exportSettings()),
    load: () => this.renderRoot.querySelector<HTMLInputElement>('input.settings-file')!.click(),
    undo: () => void this.undo(),
    redo: () => void this.redo(),
  };

  /** Hands the settings to the browser's downloads. */
  protected abstract saveSettings(json: string): void;

  readonly #onSettingsFile = async (event: Event) => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = '';
    if (!file) return;
    try {
      this.importSettings(await file.text());
      this.problem = null;
      this.announce(this.strings.settingsLoaded);
    } catch (error) {
      this.problem = asFoveolaError(error, 'Reading the settings');
    }
  };

  protected renderPanel(): TemplateResult | typeof nothing {
    const { table } = this;
    if (!table || !this.settingsOpen) return nothing;
    return html`${parameterPanel(
        {
          strings: this.strings,
          table,
          scope: this.localName.replace('foveola-', ''),
          size: this.feed,
          given: this.given,
          first: this.panelFirst,
          hidden: this.panelHidden,
          presets: Object.keys(this.builtInPresets),
          canUndo: this.history.canUndo,
          canRedo: this.history.canRedo,
          problem: this.problem,
        },
        this.#panelActions,
        this.renderPanelExtra(),
      )}<input
        class="settings-file"
        type="file"
        accept=".json,application/json"
        hidden
        tabindex="-1"
        aria-label=${this.strings.loadSettings}
        @change=${this.#onSettingsFile}
      />`;
  }
}
