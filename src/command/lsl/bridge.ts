/** What pages send to `foveola lsl`: checks every message, and passes samples and markers to XDF and LSL. */
import type { Lsl, Outlet } from './outlet.ts';
import type { Channel, Sample, StreamInfo, XdfWriter } from './xdf.ts';

/** Limits, so that a page cannot fill the memory. */
const limits = { streams: 64, channels: 128, items: 20_000, text: 500 } as const;

/** A message that is answered with an error. */
export class BadMessage extends Error {}

/** A stream of one element. It outlives its connection, so that a page that connects again loses nothing. */
interface Stream {
  width: number;
  /** Number of the next expected item. */
  next: number;
  /** Milliseconds by which the clock of the bridge is ahead of the clock of the page. Null: not measured yet. */
  offset: number | null;
  /** Items that arrived before the clock was measured, for the outlets. */
  waiting: Item[];
  outlets: Record<Kind, Outlet | undefined>;
  ids: Record<Kind, number>;
}

type Kind = 'data' | 'markers';
interface Item {
  kind: Kind;
  sample: Sample;
}

/** One connection. */
export interface Peer {
  send(message: object): void;
  stream: Stream | null;
}

export interface BridgeOptions {
  /** Milliseconds on the clock of LSL. */
  now(): number;
  xdf: XdfWriter | null;
  lsl: Lsl | null;
}

type Fields = Record<string, unknown>;

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= limits.text;
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

function need(condition: boolean, text: string): asserts condition {
  if (!condition) throw new BadMessage(text);
}

function parse(text: string): Fields {
  try {
    const message: unknown = JSON.parse(text);
    if (typeof message === 'object' && message !== null && !Array.isArray(message)) return message as Fields;
  } catch {
    // below
  }
  throw new BadMessage('A message must be a JSON object.');
}

function itemOf(given: unknown, width: number): Item {
  if (!Array.isArray(given)) {
    const { label, time } = (given ?? {}) as Fields;
    need(isText(label) && isNumber(time), `A marker must be { label, time } with at most ${limits.text} characters.`);
    return { kind: 'markers', sample: { time: time / 1000, values: label } };
  }
  const [time, ...values] = given as unknown[];
  need(isNumber(time) && values.length === width, `A sample must be a time and ${width} values.`);
  need(
    values.every((value) => value === null || isNumber(value)),
    'A value must be a number or null.',
  );
  return { kind: 'data', sample: { time: time / 1000, values: values.map((value) => value ?? NaN) as number[] } };
}

export class Bridge {
  readonly #options: BridgeOptions;
  readonly #streams = new Map<string, Stream>();
  readonly #peers = new Set<Peer>();

  readonly #silence: (() => void) | undefined;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#silence = options.lsl?.listen({
      isOwn: (source) => this.#streams.has(source.replace(/-markers$/, '')),
      open: (info) => this.#foreign(info),
    });
  }

  /** A marker stream of another program: for all pages, and for the file. */
  #foreign(info: StreamInfo) {
    const { xdf, now } = this.#options;
    const id = xdf?.stream(info, now() / 1000) ?? 0;
    if (id) xdf!.clock(id, now() / 1000, 0);
    return (label: string, time: number) => {
      this.received++;
      if (id) xdf!.samples(id, [{ time, values: label }]);
      for (const peer of this.#peers)
        peer.send({ type: 'marker', label: label.slice(0, limits.text), time: 1000 * time });
    };
  }

  /** Number of received samples and markers. */
  received = 0;

  connect(send: Peer['send']): Peer {
    const peer = { send, stream: null };
    this.#peers.add(peer);
    return peer;
  }

  disconnect(peer: Peer): void {
    this.#peers.delete(peer);
  }

  /** @throws {BadMessage} The message is ignored. */
  receive(peer: Peer, text: string): void {
    const arrived = this.#options.now();
    const message = parse(text);
    if (message['type'] === 'ping') {
      need(isNumber(message['sent']), 'ping: sent must be milliseconds.');
      peer.send({ type: 'pong', sent: message['sent'], arrived, answered: this.#options.now() });
    } else if (message['type'] === 'open') this.#open(peer, message);
    else if (message['type'] === 'items') this.#items(peer, message);
    else if (message['type'] === 'clock') this.#clock(peer, message);
    else throw new BadMessage("type must be 'open', 'items', 'ping' or 'clock'.");
  }

  #open(peer: Peer, { id, name, channels }: Fields): void {
    need(isText(id) && id.length >= 8, 'open: id must be a text of at least 8 characters.');
    need(isText(name) && name !== '', 'open: name must be a text.');
    need(
      Array.isArray(channels) && channels.length > 0 && channels.length <= limits.channels,
      `open: channels must be a list of 1 to ${limits.channels}.`,
    );
    const list = (channels as Fields[]).map((channel): Channel => {
      const { label, unit = '' } = channel ?? {};
      need(isText(label) && isText(unit), 'open: a channel must be { label, unit }.');
      return { label, unit };
    });
    let stream = this.#streams.get(id);
    if (!stream) {
      need(this.#streams.size < limits.streams, `open: more than ${limits.streams} streams. Restart the bridge.`);
      stream = this.#create(id, name, list);
      this.#streams.set(id, stream);
    }
    need(stream.width === list.length, 'open: this id has other channels. Use a new id.');
    peer.stream = stream;
    peer.send({ type: 'opened', next: stream.next });
  }

  #create(source: string, name: string, channels: readonly Channel[]): Stream {
    const { xdf, lsl, now } = this.#options;
    const data: StreamInfo = { name, type: 'Gaze', format: 'double64', source, channels };
    const label = { label: 'marker', unit: '' };
    const markers: StreamInfo = {
      ...{ name: `${name} markers`, type: 'Markers', format: 'string' },
      ...{ source: `${source}-markers`, channels: [label] },
    };
    const created = now() / 1000;
    return {
      ...{ width: channels.length, next: 0, offset: null, waiting: [] },
      outlets: { data: lsl?.open(data), markers: lsl?.open(markers) },
      ids: { data: xdf?.stream(data, created) ?? 0, markers: xdf?.stream(markers, created) ?? 0 },
    };
  }

  /** Items that are repeated after a lost connection are skipped. */
  #items(peer: Peer, { first, items }: Fields): void {
    const { stream } = peer;
    need(stream !== null, 'items: send open first.');
    need(Array.isArray(items) && items.length <= limits.items, `items must be a list of at most ${limits.items}.`);
    need(Number.isSafeInteger(first) && (first as number) >= 0, 'items: first must be the number of the first item.');
    need((first as number) <= stream.next, `items: ${stream.next} is the next item, not ${String(first)}.`);
    const given = items.slice(stream.next - (first as number)).map((item) => itemOf(item, stream.width));
    stream.next += given.length;
    this.received += given.length;
    for (const kind of ['data', 'markers'] as const)
      this.#options.xdf?.samples(
        stream.ids[kind],
        given.filter((item) => item.kind === kind).map(({ sample }) => sample),
      );
    if (this.#options.lsl) stream.waiting.push(...given);
    this.#pushWaiting(stream);
    this.#relay(peer, given);
    peer.send({ type: 'ack', next: stream.next });
  }

  #pushWaiting(stream: Stream): void {
    const { offset, outlets } = stream;
    if (offset === null) {
      stream.waiting.splice(0, stream.waiting.length - limits.items);
      return;
    }
    for (const { kind, sample } of stream.waiting.splice(0))
      outlets[kind]?.push({ ...sample, time: sample.time + offset / 1000 });
  }

  /** Sends markers to all other pages, on the clock of the bridge. */
  #relay(from: Peer, items: readonly Item[]): void {
    const { offset } = from.stream!;
    for (const { kind, sample } of items) {
      if (kind !== 'markers') continue;
      const time = offset === null ? this.#options.now() : sample.time * 1000 + offset;
      for (const peer of this.#peers) if (peer !== from) peer.send({ type: 'marker', label: sample.values, time });
    }
  }

  #clock(peer: Peer, { offset, time }: Fields): void {
    const { stream } = peer;
    need(stream !== null, 'clock: send open first.');
    need(isNumber(offset) && isNumber(time), 'clock: offset and time must be milliseconds.');
    stream.offset = offset;
    for (const id of Object.values(stream.ids)) if (id) this.#options.xdf?.clock(id, time / 1000, offset / 1000);
    this.#pushWaiting(stream);
  }

  close(): void {
    this.#silence?.();
    for (const { outlets } of this.#streams.values()) for (const outlet of Object.values(outlets)) outlet?.close();
    this.#options.xdf?.close();
  }
}
