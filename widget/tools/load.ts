/**
 * Loads the tools (settings, help, camera settings, questions, export writers) when they are first needed. An element
 * with `controls` loads them after its first result.
 */
import { type FoveolaError, asFoveolaError } from '../../src/index.ts';
import { asOurs, loadPart } from '../../src/internal.ts';
import type { Host, Part } from '../base/host.ts';
import type { AnyResult, Rendered } from '../base/kind.ts';
import type { StateController } from '../base/state-controller.ts';
import { addEnglish } from '../strings/index.ts';
import { nothing, type PropertyValues } from 'lit';
import type * as Module from './panels/tools.ts';

export type Tools = typeof Module;

/** Shared by all elements. Null until the file has loaded. */
let loaded: Tools | null = null;

/** Null until they have loaded. */
export const loadedTools = (): Tools | null => loaded;

export async function loadTools(): Promise<Tools> {
  loaded ??= await loadPart(
    'tools.js',
    () => import('./panels/tools.ts'),
    'Settings, help and exports',
    'leave out controls',
  );
  addEnglish(loaded.later);
  return loaded;
}

/** Runs `work` with the tools. Their errors are converted to the page's error class. */
export async function withTools<T>(work: (tools: Tools) => T | Promise<T>): Promise<T> {
  const tools = await loadTools();
  try {
    return await work(tools);
  } catch (error) {
    throw asOurs(error);
  }
}

const whenIdle = (work: () => void): void => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 2000 });
  else setTimeout(work, 200);
};

/** The tools of one element. */
export class ToolsController<R extends AnyResult> implements Part<R> {
  readonly #host: Host<R>;
  readonly #state: StateController<R>;
  #asked = false;
  #failed = false;
  /** Names of the attributes whose tools are in use. */
  readonly #inUse = new Set<'LslStream' | 'FrameHeight'>();

  constructor(host: Host<R>, state: StateController<R>) {
    this.#host = host;
    this.#state = state;
    host.add(this);
  }

  /**
   * Loads the tools and renders again. If they cannot be loaded, the element reports that and continues without them.
   * Resolves with whether they have loaded.
   */
  async load(): Promise<boolean> {
    this.#asked = true;
    try {
      this.#addStyles(await loadTools());
      this.#failed = false;
    } catch (error) {
      this.#failed = true;
      this.#state.setShortfall(asFoveolaError(error, 'Settings, help and exports'));
    }
    this.#host.element.requestUpdate();
    return !this.#failed;
  }

  /** Returns the result of `make`. Returns nothing without `wanted`, or until the tools have loaded. */
  show<T>(wanted: T | null | undefined | false, make: (tools: Tools, wanted: T) => Rendered): Rendered {
    if (wanted === null || wanted === undefined || wanted === false) return nothing;
    if (loaded) {
      this.#addStyles(loaded);
      return make(loaded, wanted);
    }
    if (!this.#asked) void this.load();
    return nothing;
  }

  #addStyles({ toolStyles }: Tools): void {
    for (const style of toolStyles) this.#host.addStyle(style);
  }

  /**
   * Advice about an error. The tools contain these strings. Until they have loaded, the message is shown without
   * advice.
   */
  advice({ code }: FoveolaError): string | undefined {
    const advice = this.#host.strings.errorHelp[code];
    if (!advice && !loaded && !this.#asked) {
      this.#asked = true;
      loadTools().catch(() => (this.#asked = false));
    }
    return advice;
  }

  /** Loads early, so that the first click need not wait. */
  published(): void {
    if (this.#asked || !this.#host.element.controls) return;
    this.#asked = true;
    whenIdle(() => this.#host.element.isConnected && void this.load());
  }

  /** Opening the settings retries after a failure. A stream needs the tools, and so does a frame. */
  updated(changed: PropertyValues): void {
    const { settingsOpen, stream, frameHeight } = this.#host.element;
    if (changed.has('settingsOpen') && this.#failed && settingsOpen) void this.load();
    if (stream) this.#use('LslStream');
    if (frameHeight !== null && parent !== window) this.#use('FrameHeight');
  }

  #use(name: 'LslStream' | 'FrameHeight'): void {
    if (this.#inUse.has(name)) return;
    this.#inUse.add(name);
    const failed = (error: FoveolaError | null) => this.#state.setShortfall(error);
    withTools((tools) => new tools[name](this.#host, failed)).catch(failed);
  }

  left(): void {
    this.#asked = loaded !== null;
  }
}
