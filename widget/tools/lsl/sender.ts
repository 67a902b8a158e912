/**
 * Sends samples and markers to `foveola lsl`, and measures how far the clocks differ. Items are kept until the bridge
 * has acknowledged them, so that a connection that is lost for a while loses none.
 */

/** Items that are kept at most: 27 minutes at 120 per second. */
export const KEPT = 200_000;
/** Items per message. The bridge accepts messages of 4 MB. */
const BATCH = 2000;
const PING_EVERY = 1000;
const RETRY_AFTER = 1000;
/** Number of round trips. The fastest one counts. */
const ROUND_TRIPS = 16;

export type Item = readonly (number | null)[] | { label: string; time: number };

export interface Channel {
  label: string;
  unit: string;
}

/** The functions used from a WebSocket. */
export interface Socket {
  readonly readyState: number;
  send(text: string): void;
  close(): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: never) => void) | null;
}

export interface SenderOptions {
  open(): Socket;
  /** Milliseconds on the clock of the items. */
  now(): number;
  id: string;
  name: string;
  channels: readonly Channel[];
  /** A marker of another page, on the clock of this page. */
  onMarker(label: string, time: number): void;
  /** A problem, or null once it is solved. */
  onProblem(text: string | null): void;
}

export interface ClockOffset {
  /** Milliseconds by which the clock of the bridge is ahead. */
  offset: number;
  /** Maximum error: half of the round trip. */
  error: number;
}

/** The offset from one round trip, in the way of NTP. */
export function clockOffset(sent: number, arrived: number, answered: number, received: number): ClockOffset {
  return { offset: (arrived - sent + answered - received) / 2, error: (received - sent - (answered - arrived)) / 2 };
}

interface Message {
  type?: string;
  next?: number;
  sent?: number;
  arrived?: number;
  answered?: number;
  label?: string;
  time?: number;
  message?: string;
}

export class Sender {
  readonly #options: SenderOptions;
  #socket: Socket | null = null;
  /** Items from number `#first` on that the bridge has not acknowledged. */
  #items: Item[] = [];
  #first = 0;
  /** Number of the next item to send. Null until the bridge has answered. */
  #next: number | null = null;
  #trips: ClockOffset[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #queued = false;
  /** Items that were dropped because the bridge was away for too long. */
  dropped = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#connect();
  }

  /** The best measurement of the last round trips. Null before the first one. */
  get clock(): ClockOffset | null {
    return this.#trips.reduce<ClockOffset | null>((best, one) => (best && best.error <= one.error ? best : one), null);
  }

  /** Number of measured round trips, at most 16. */
  get trips(): number {
    return this.#trips.length;
  }

  /** Number of items that the bridge has not acknowledged. */
  get waiting(): number {
    return this.#items.length;
  }

  add(item: Item): void {
    this.#items.push(item);
    if (this.#items.length > KEPT) this.#drop();
    if (this.#queued) return;
    this.#queued = true; // the rows of one frame are one message
    queueMicrotask(() => {
      this.#queued = false;
      this.#send();
    });
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    clearTimeout(this.#retry);
    this.#socket?.close();
  }

  #drop(): void {
    if (!this.dropped) this.#options.onProblem('The bridge was away for too long: the oldest samples are lost.');
    const count = this.#items.length - KEPT;
    this.#items.splice(0, count);
    this.#first += count;
    this.dropped += count;
  }

  #connect(): void {
    const socket = (this.#socket = this.#options.open());
    socket.onopen = () => {
      const { id, name, channels } = this.#options;
      this.#post({ type: 'open', id, name, channels });
      this.#ping();
      this.#timer = setInterval(() => this.#ping(), PING_EVERY);
    };
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(String(data)) as Message);
    socket.onclose = () => {
      clearInterval(this.#timer);
      this.#next = null;
      this.#trips = [];
      if (this.#closed) return;
      this.#options.onProblem('The bridge does not answer. Start it: npx foveola lsl');
      this.#retry = setTimeout(() => this.#connect(), RETRY_AFTER);
    };
  }

  #post(message: object): void {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(message));
  }

  #ping(): void {
    this.#post({ type: 'ping', sent: this.#options.now() });
  }

  #send(): void {
    while (this.#next !== null && this.#next < this.#first + this.#items.length) {
      const from = this.#next - this.#first;
      const items = this.#items.slice(from, from + BATCH);
      this.#post({ type: 'items', first: this.#next, items });
      this.#next += items.length;
    }
  }

  #receive(message: Message): void {
    const received = this.#options.now();
    const { type, next = 0, sent = 0, arrived = 0, answered = 0, label = '', time = 0 } = message;
    if (type === 'opened') {
      this.#acknowledge(next);
      this.#first = this.#next = next; // lower if the bridge was restarted or items were dropped
      this.#options.onProblem(null);
      this.#send();
    } else if (type === 'ack') this.#acknowledge(next);
    else if (type === 'pong') {
      this.#trips = [...this.#trips, clockOffset(sent, arrived, answered, received)].slice(-ROUND_TRIPS);
      this.#post({ type: 'clock', offset: this.clock!.offset, time: received });
      if (this.#trips.length < ROUND_TRIPS) this.#ping(); // the first ones follow each other at once
    } else if (type === 'marker' && this.clock) this.#options.onMarker(label, time - this.clock.offset);
    else if (type === 'error') this.#options.onProblem(`The bridge refused a message: ${message.message}`);
  }

  #acknowledge(next: number): void {
    const count = Math.min(this.#items.length, next - this.#first);
    if (count <= 0) return;
    this.#items.splice(0, count);
    this.#first += count;
  }
}
