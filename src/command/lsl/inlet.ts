/**
 * Markers of other programs on the lab streaming layer, for instance of a stimulus program. New streams of the type
 * 'Markers' are found once a second.
 */
import type { StreamInfo } from './xdf.ts';

/** A function of liblsl. */
export type Native = (...values: unknown[]) => unknown;

/** The functions used from an opened library. */
export interface NativeLibrary {
  func(declaration: string): Native & { async?: (...values: unknown[]) => void };
}

/** Receives the streams of other programs. */
export interface Listener {
  /** Whether the bridge itself sends the stream with this source. */
  isOwn(source: string): boolean;
  /** A new stream. Returns what receives its markers: label and seconds on the clock of LSL. */
  open(info: StreamInfo): (label: string, time: number) => void;
}

const declarations = {
  resolver: 'void *lsl_create_continuous_resolver_byprop(str property, str value, double forgetAfter)',
  results: 'int lsl_resolver_results(void *resolver, _Out_ void **list, uint count)',
  destroyResolver: 'void lsl_destroy_continuous_resolver(void *resolver)',
  name: 'str lsl_get_name(void *info)',
  source: 'str lsl_get_source_id(void *info)',
  id: 'str lsl_get_uid(void *info)',
  format: 'int lsl_get_channel_format(void *info)',
  channels: 'int lsl_get_channel_count(void *info)',
  destroyInfo: 'void lsl_destroy_streaminfo(void *info)',
  inlet: 'void *lsl_create_inlet(void *info, int seconds, int chunk, int recover)',
  pull: 'double lsl_pull_sample_str(void *inlet, _Out_ char **texts, int count, double timeout, _Out_ int *error)',
  correction: 'double lsl_time_correction(void *inlet, double timeout, _Out_ int *error)',
  destroy: 'void lsl_destroy_inlet(void *inlet)',
};

const STRING = 3;
const MOST = 64;
/** Seconds after which a silent stream is forgotten, and for which markers are kept. */
const FORGET = 5;
const KEPT = 60;
const FIND_EVERY = 1000;
const PULL_EVERY = 10;

interface Inlet {
  readonly handle: unknown;
  /** Seconds from the clock of the sender to the own clock. */
  readonly correction: number;
  readonly receive: (label: string, time: number) => void;
}

/** Listens until the returned function is called. */
export function listen(library: NativeLibrary, { isOwn, open }: Listener): () => void {
  const call = Object.fromEntries(
    Object.entries(declarations).map(([name, declaration]) => [name, library.func(declaration)]),
  ) as Record<keyof typeof declarations, ReturnType<NativeLibrary['func']>>;
  const resolver = call.resolver('type', 'Markers', FORGET);
  /** By the id of the stream. Null: its clock is being measured. */
  const inlets = new Map<string, Inlet | null>();
  let closed = false;

  /** Measures the clock in a thread of koffi, because the call blocks. A stream that fails is tried again if it is found again. */
  function connect(id: string, handle: unknown, info: StreamInfo): void {
    const error = [0];
    inlets.set(id, null);
    call.correction.async!(handle, FORGET, error, (failure: unknown, correction: unknown) => {
      if (!closed && !failure && !error[0])
        return void inlets.set(id, { handle, correction: correction as number, receive: open(info) });
      inlets.delete(id);
      call.destroy(handle);
    });
  }

  function find(): void {
    const list = new Array<unknown>(MOST).fill(null);
    const count = call.results(resolver, list, MOST) as number;
    for (const info of list.slice(0, Math.max(0, count))) {
      const [id, source, name] = [call.id(info), call.source(info), call.name(info)] as [string, string, string];
      if (!inlets.has(id) && call.format(info) === STRING && call.channels(info) === 1 && !isOwn(source)) {
        const channels = [{ label: 'marker', unit: '' }];
        connect(id, call.inlet(info, KEPT, 0, 1), { name, type: 'Markers', format: 'string', source, channels });
      }
      call.destroyInfo(info);
    }
  }

  function pull(): void {
    for (const inlet of inlets.values()) {
      if (!inlet) continue;
      const { handle, correction, receive } = inlet;
      const text = [''];
      const error = [0];
      const next = () => call.pull(handle, text, 1, 0, error) as number;
      for (let time = next(); time && !error[0]; time = next()) receive(text[0] ?? '', time + correction);
    }
  }

  const timers = [setInterval(find, FIND_EVERY), setInterval(pull, PULL_EVERY)];
  return () => {
    closed = true;
    timers.forEach((timer) => clearInterval(timer));
    call.destroyResolver(resolver);
    for (const inlet of inlets.values()) if (inlet) call.destroy(inlet.handle);
  };
}
