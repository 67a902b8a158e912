/**
 * Settings of an element: the values that attributes and panel pass to the tracker, with undo, and presets as JSON
 * files. The panel is loaded later. An element without a table has none.
 */
import { FoveolaError, type ParameterTable, resolveParameters, version, asFoveolaError } from '../../src/index.ts';
import type { About } from '../../src/index.ts';
import type { Host } from '../base/host.ts';
import { aboutNames, aboutOf } from '../base/page.ts';
import type { AnyResult, Settings } from '../base/kind.ts';
import { sameSetting, smallText } from '../base/requested-source.ts';
import type { StateController } from '../base/state-controller.ts';

/** A user action that can be undone: settings, a region, a calibration, a marker. */
export interface Deed {
  undo(): void;
  redo(): void;
  /** Actions with the same key in quick succession count as one: a dragged slider, a held arrow key. */
  key?: string;
  /** The action belongs to the open source, and cannot be undone after another source is opened. */
  ofSource?: boolean;
}

const most = 100;
const together = 800;

export class History {
  #done: Deed[] = [];
  #undone: Deed[] = [];
  #lastAt = -Infinity;

  get canUndo(): boolean {
    return this.#done.length > 0;
  }

  get canRedo(): boolean {
    return this.#undone.length > 0;
  }

  /** Adds an action. */
  add(deed: Deed): void {
    const now = performance.now();
    const last = this.#done.at(-1);
    const joins = last && deed.key !== undefined && last.key === deed.key && now - this.#lastAt < together;
    if (joins) this.#done[this.#done.length - 1] = { ...deed, undo: last.undo };
    else this.#done.push(deed);
    if (this.#done.length > most) this.#done.shift();
    this.#undone = [];
    this.#lastAt = now;
  }

  /** Returns whether there was something to undo. */
  undo(): boolean {
    return this.#move(this.#done, this.#undone, 'undo');
  }

  redo(): boolean {
    return this.#move(this.#undone, this.#done, 'redo');
  }

  clear(): void {
    this.#done = [];
    this.#undone = [];
  }

  /** The source was closed. Removes its actions. */
  dropSource(): void {
    const stays = ({ ofSource }: Deed) => !ofSource;
    this.#done = this.#done.filter(stays);
    this.#undone = this.#undone.filter(stays);
  }

  #move(from: Deed[], to: Deed[], what: 'undo' | 'redo'): boolean {
    const deed = from.pop();
    if (!deed) return false;
    this.#lastAt = -Infinity;
    deed[what]();
    to.push(deed);
    return true;
  }
}

/** Maximum length of a settings file, a thousand times the usual one. */
const MOST_LETTERS = 1 << 20;

/** Returns the same names, reset to their defaults. */
export const unset = (given: Settings): Settings =>
  Object.fromEntries(Object.keys(given).map((name) => [name, undefined]));

export class SettingsController<R extends AnyResult> {
  readonly #host: Host<R>;
  readonly #state: StateController<R>;
  /** User actions that can be undone. */
  readonly history = new History();

  constructor(host: Host<R>, state: StateController<R>) {
    this.#host = host;
    this.#state = state;
    host.add(this);
  }

  /** Parameters of the panel, with the element's defaults. */
  get table(): ParameterTable | null {
    return this.#host.kind.table?.() ?? null;
  }

  /** Values set by attributes, panel or page. All others have their defaults. */
  get given(): Settings {
    const { element, kind } = this.#host;
    const given = { ...element.settings };
    for (const name of kind.ownParameters ?? []) {
      const value = this.#own[name];
      if (value !== null && value !== undefined) given[name] = value;
    }
    return given;
  }

  /** Parameters of the tracker. */
  get parameters(): Settings {
    const { given } = this;
    return this.#host.kind.parameters?.(given) ?? given;
  }

  /** All parameters, with defaults for those that are not set. */
  get all(): Settings {
    const defaults = Object.entries(this.table ?? {}).map(([name, { default: value }]) => [name, value]);
    return { ...Object.fromEntries(defaults), ...this.parameters };
  }

  /** Default of a setting. Undefined if only a new tracker knows. */
  defaultOf(name: string): unknown {
    const own = this.#host.kind.defaultOf?.(name);
    return own === undefined ? this.table?.[name]?.default : own;
  }

  /**
   * Changes settings, with undo. `undefined` resets a setting to its default. Changes with the same `key` in quick
   * succession are undone together.
   */
  edit(changes: Settings, key?: string): void {
    const before = Object.fromEntries(Object.keys(changes).map((name) => [name, this.given[name]]));
    if (Object.keys(changes).every((name) => sameSetting(changes[name], before[name]))) return;
    this.#write(changes);
    this.remember({
      undo: () => this.#write(before),
      redo: () => this.#write(changes),
      ...(key !== undefined && { key }),
    });
  }

  /** Adds a user action that can be undone. */
  remember(deed: Deed): void {
    this.history.add(deed);
    this.#host.element.requestUpdate();
  }

  undo(): boolean {
    const done = this.history.undo();
    if (done) this.#state.announce(this.#host.strings.undone);
    this.#host.element.requestUpdate();
    return done;
  }

  redo(): boolean {
    const done = this.history.redo();
    if (done) this.#state.announce(this.#host.strings.redone);
    this.#host.element.requestUpdate();
    return done;
  }

  export(): string {
    const { localName: element } = this.#host.element;
    try {
      const more = this.#host.kind.moreSettings?.();
      return `${JSON.stringify({ software: 'foveola', version, element, ...aboutOf(this.#host.element), parameters: this.given, ...more }, null, 2)}\n`;
    } catch (cause) {
      throw new FoveolaError('invalid-argument', 'A setting is not a JSON value. Use numbers, texts or boxes.', {
        cause,
      });
    }
  }

  import(json: string): void {
    const { localName } = this.#host.element;
    const bad = (text: string, cause?: unknown) => new FoveolaError('invalid-argument', text, { cause });
    if (String(json).length > MOST_LETTERS) throw bad('The settings file is too large.');
    let file: { software?: unknown; element?: unknown; parameters?: unknown; about?: About };
    try {
      file = JSON.parse(json) as typeof file;
    } catch (cause) {
      throw bad('The settings are not valid JSON. Use a file that this element saved.', cause);
    }
    const parameters = file?.parameters as Settings | null | undefined;
    if (file?.software !== 'foveola' || typeof parameters !== 'object' || parameters === null)
      throw bad('The file has no foveola settings. Use a file that this element saved.');
    if (file.element !== localName)
      throw bad(`The settings are for <${String(file.element)}>, not for <${localName}>.`);
    const listed = this.#host.kind.checkSettings?.(parameters) ?? parameters;
    if (this.table) resolveParameters(this.table, listed as never, 'Settings');
    this.edit({ ...unset(this.given), ...parameters }); // missing ones are reset to their defaults
    for (const name of aboutNames) if (file.about?.[name]) this.#host.element[name] = file.about[name];
    this.#host.kind.takeSettings?.(file as Settings);
  }

  closing(): void {
    this.history.dropSource();
  }

  left(): void {
    this.#host.store.set({ problem: null });
  }

  hostUpdate(): void {
    if (!this.#host.element.settingsOpen) this.#host.store.set({ problem: null });
  }

  get #own(): Settings {
    return this.#host.element as unknown as Settings;
  }

  #write(changes: Settings): void {
    const settings = { ...this.#host.element.settings };
    for (const [name, value] of Object.entries(changes)) {
      if (this.#host.kind.ownParameters?.includes(name)) this.#own[name] = value ?? null;
      else if (value === undefined || value === null) delete settings[name];
      else settings[name] = value;
    }
    this.#host.element.settings = settings;
  }

  /** Values shown in the panel. */
  get panelGiven(): Settings {
    return this.#host.kind.panelGiven?.() ?? this.given;
  }

  /** Loads a chosen or dropped file. The panel shows its errors. */
  async load(file: File): Promise<void> {
    try {
      this.import(await smallText(file, MOST_LETTERS));
      this.#host.store.set({ problem: null });
      this.#state.announce(this.#host.strings.settingsLoaded);
    } catch (error) {
      this.#host.store.set({ problem: asFoveolaError(error, 'Reading the settings') });
      this.#host.element.settingsOpen = true;
    }
  }
}
