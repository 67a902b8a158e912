/** The attribute `stream`: sends the measurements of an element to `foveola lsl`, and records markers from there. */
import { type Column, FoveolaError, type FrameTiming } from '../../../src/index.ts';
import type { PropertyValues } from 'lit';
import type { Host, Part } from '../../base/host.ts';
import type { AnyResult } from '../../base/kind.ts';
import { Sender } from './sender.ts';

/** Columns about the frame, which a stream has as the time of its samples. */
const aboutFrames = ['timestamp', 'clock'];

/**
 * A WebSocket on this machine.
 * @throws {FoveolaError} 'invalid-argument'
 */
function bridgeUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const local = url && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (!local || url.protocol !== 'ws:')
    throw new FoveolaError(
      'invalid-argument',
      `stream must be ws://127.0.0.1:PORT, as printed by npx foveola lsl, not ${text}.`,
    );
  return url.href;
}

const channelOf = ({ name, unit, values }: Column) => ({ label: name, unit: unit ?? values?.join('|') ?? '' });

export class LslStream<R extends AnyResult> implements Part<R> {
  readonly #host: Host<R>;
  readonly #failed: (error: FoveolaError | null) => void;
  #sender: Sender | null = null;
  /** Channels of the open stream. */
  #names = '';
  #receiving = false;

  /** `failed`: shows a problem of the connection. Null: it is solved. */
  constructor(host: Host<R>, failed: (error: FoveolaError | null) => void) {
    this.#host = host;
    this.#failed = failed;
    host.add(this);
  }

  updated(changed: PropertyValues): void {
    if (changed.has('stream')) this.left();
  }

  present(result: R, timing: FrameTiming): void {
    const { stream } = this.#host.element;
    if (!stream) return;
    const { kind } = this.#host;
    const columns = kind.columns();
    const sender = this.#open(stream, columns);
    // The time of a file says nothing about now.
    const time = timing.clock === 'media' ? performance.now() : timing.timestamp;
    for (const row of kind.rowsOf(result, timing)) {
      const values = row.filter((_, i) => !aboutFrames.includes(columns[i]!.name));
      sender?.add([time, ...values.map((value) => (Number.isFinite(value) ? value : null))]);
    }
  }

  marked(label: string, timestamp: number): void {
    if (this.#receiving) return;
    const now = performance.now();
    const live = Math.abs(this.#host.element.now - now) < 1000;
    this.#sender?.add({ label: label.slice(0, 500), time: live ? timestamp : now });
  }

  left(): void {
    this.#sender?.close();
    this.#sender = null;
    this.#names = '';
  }

  hostConnected(): void {
    // a stream opens with the first result
  }

  hostDisconnected(): void {
    // parts are released in left()
  }

  #open(stream: string, columns: readonly Column[]): Sender | null {
    const channels = columns.filter(({ name }) => !aboutFrames.includes(name)).map(channelOf);
    const names = channels.map(({ label }) => label).join();
    if (names === this.#names) return this.#sender;
    this.left();
    this.#names = names; // a wrong address is reported once
    try {
      const url = bridgeUrl(stream);
      const { element } = this.#host;
      this.#sender = new Sender({
        open: () => new WebSocket(url),
        now: () => performance.now(),
        id: crypto.getRandomValues(new Uint32Array(4)).join('-'),
        name: element.id || element.localName,
        channels,
        onMarker: (label, time) => this.#mark(label, time),
        onProblem: (text) => this.#failed(text === null ? null : new FoveolaError('network-failed', text)),
      });
    } catch (error) {
      this.#failed(error as FoveolaError);
    }
    return this.#sender;
  }

  #mark(label: string, time: number): void {
    const { element } = this.#host;
    this.#receiving = true;
    try {
      element.mark(label, element.now + time - performance.now());
    } finally {
      this.#receiving = false;
    }
  }
}
