/**
 * External markers: MIDI notes, lines of a serial device. Each has its label and its time on the page's time line.
 */

export type Trigger = (label: string, at: number) => void;

/** Minimal types of MIDI and serial ports: not every TypeScript version has them. */
interface MidiInput extends EventTarget {
  readonly name: string | null;
}
interface MidiAccess {
  readonly inputs: ReadonlyMap<string, MidiInput>;
  onstatechange: (() => void) | null;
}
interface SerialPort {
  readonly readable: ReadableStream<Uint8Array> | null;
  open(options: { baudRate: number }): Promise<void>;
  close(): Promise<void>;
}
interface Ports {
  requestMIDIAccess?: (options: { sysex: false }) => Promise<MidiAccess>;
  serial?: { requestPort(): Promise<SerialPort> };
}
const ports = (): Ports => navigator as unknown as Ports;

export const hasMidi = (): boolean => typeof ports().requestMIDIAccess === 'function';
export const hasSerial = (): boolean => typeof ports().serial === 'object';

/** Maximum length of a serial line that becomes a label. */
const LINE = 80;

/** Label of a MIDI message. Null unless it is a note-on, program or controller message. */
export function midiLabel(data: ArrayLike<number>): string | null {
  const [status = 0, first = 0, second = 0] = Array.from(data);
  const kind = status >> 4;
  if (kind === 9 && second > 0) return `midi note ${first}`;
  if (kind === 12) return `midi program ${first}`;
  return kind === 11 ? `midi controller ${first} ${second}` : null;
}

/**
 * Listens to every MIDI input, including ones plugged in later. Returns a function that stops it. Rejects if the user
 * or the page refuses access.
 */
export async function listenToMidi(trigger: Trigger): Promise<() => void> {
  const access = await ports().requestMIDIAccess!({ sysex: false });
  const heard = new Set<MidiInput>();
  const onMessage = (event: Event) => {
    const label = midiLabel((event as Event & { data: Uint8Array }).data);
    if (label) trigger(label, event.timeStamp);
  };
  const listen = () => {
    for (const input of access.inputs.values())
      if (!heard.has(input)) {
        heard.add(input);
        input.addEventListener('midimessage', onMessage);
      }
  };
  access.onstatechange = listen;
  listen();
  return () => {
    access.onstatechange = null;
    for (const input of heard) input.removeEventListener('midimessage', onMessage);
  };
}

/** Reads whole lines of a byte stream, with the time at which each ended. Empty lines are skipped. */
export async function readLines(
  stream: ReadableStream<Uint8Array>,
  trigger: Trigger,
  signal: AbortSignal,
): Promise<void> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  signal.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const at = performance.now();
      const lines = (rest + decoder.decode(value, { stream: true })).split(/[\r\n]+/);
      rest = lines.pop()!.slice(0, LINE);
      for (const line of lines) if (line.trim()) trigger(line.trim().slice(0, LINE), at);
    }
  } finally {
    reader.releaseLock();
  }
}

/** Asks the user for a serial port and reads its lines. Returns a function that stops it. */
export async function listenToSerial(trigger: Trigger, baudRate = 115_200): Promise<() => void> {
  const port = await ports().serial!.requestPort();
  await port.open({ baudRate });
  const ending = new AbortController();
  const done = readLines(port.readable!, trigger, ending.signal).catch(() => {}); // unplugged
  void done.then(() => port.close()).catch(() => {});
  return () => ending.abort();
}
