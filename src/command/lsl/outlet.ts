/**
 * Outlets of liblsl (1.13 or newer), called through koffi. Both are optional: koffi is a package that users install,
 * and liblsl is part of LabRecorder and pylsl. See also https://github.com/sccn/liblsl.
 */
import { bad } from '../plan.ts';
import { listen, type Listener, type Native, type NativeLibrary } from './inlet.ts';
import type { Channel, Sample, StreamInfo } from './xdf.ts';

/** The functions used from koffi. */
interface Koffi {
  load(file: string): NativeLibrary;
}

export interface Lsl {
  /** The clock of liblsl in seconds. */
  now(): number;
  open(info: StreamInfo): Outlet;
  /** Receives the markers of other programs until the returned function is called. */
  listen(listener: Listener): () => void;
}

export interface Outlet {
  push(sample: Sample): void;
  close(): void;
}

const names: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  win32: ['lsl.dll', 'liblsl64.dll'],
  darwin: ['liblsl.dylib', '/opt/homebrew/lib/liblsl.dylib', '/usr/local/lib/liblsl.dylib'],
};

const declarations = {
  now: 'double lsl_local_clock()',
  info: 'void *lsl_create_streaminfo(str name, str type, int channels, double rate, int format, str source)',
  desc: 'void *lsl_get_desc(void *info)',
  append: 'void *lsl_append_child(void *parent, str name)',
  value: 'void *lsl_append_child_value(void *parent, str name, str value)',
  outlet: 'void *lsl_create_outlet(void *info, int chunk, int buffered)',
  destroyInfo: 'void lsl_destroy_streaminfo(void *info)',
  destroy: 'void lsl_destroy_outlet(void *outlet)',
  numbers: 'int lsl_push_sample_dt(void *outlet, double *values, double time)',
  texts: 'int lsl_push_sample_strt(void *outlet, str *values, double time)',
};

/** liblsl's numbers of the formats. */
const formats = { double64: 2, string: 3 } as const;
/** Seconds for which an outlet keeps samples for a slow receiver. */
const BUFFERED = 360;

function describe(call: Record<keyof typeof declarations, Native>, info: unknown, channels: readonly Channel[]): void {
  const list = call.append(call.desc(info), 'channels');
  for (const { label, unit } of channels) {
    const channel = call.append(list, 'channel');
    call.value(channel, 'label', label);
    call.value(channel, 'unit', unit);
  }
}

/** Outlets of an opened library. */
export function outlets(library: NativeLibrary): Lsl {
  const call = Object.fromEntries(
    Object.entries(declarations).map(([name, declaration]) => [name, library.func(declaration)]),
  ) as Record<keyof typeof declarations, Native>;
  return {
    now: () => call.now() as number,
    listen: (listener) => listen(library, listener),
    open({ name, type, format, source, channels }) {
      const info = call.info(name, type, channels.length, 0, formats[format], source);
      if (!info) throw bad(`liblsl cannot create a stream named '${name}'.`);
      describe(call, info, channels);
      const outlet = call.outlet(info, 0, BUFFERED);
      call.destroyInfo(info); // the outlet has a copy
      return {
        push: ({ time, values }) =>
          void (typeof values === 'string'
            ? call.texts(outlet, [values], time)
            : call.numbers(outlet, Float64Array.from(values), time)),
        close: () => void call.destroy(outlet),
      };
    },
  };
}

/**
 * Opens liblsl. Null if koffi or liblsl is not installed and no file was named.
 * @throws {FoveolaError} (rejects) 'invalid-argument' (the named file cannot be used)
 */
export async function openLsl(file: string | undefined): Promise<Lsl | null> {
  const koffiName = 'koffi';
  let koffi: Koffi;
  try {
    koffi = ((await import(koffiName)) as { default: Koffi }).default;
  } catch (cause) {
    if (file === undefined) return null;
    throw bad('--liblsl needs a package that is not installed: npm install koffi', cause);
  }
  let failure: unknown;
  for (const name of file === undefined ? (names[process.platform] ?? ['liblsl.so', 'liblsl.so.2']) : [file])
    try {
      return outlets(koffi.load(name));
    } catch (error) {
      failure = error;
    }
  if (file === undefined) return null;
  throw bad(`${file} cannot be used as liblsl: ${(failure as Error).message}`, failure);
}
