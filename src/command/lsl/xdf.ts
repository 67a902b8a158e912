/** Writes XDF files (https://github.com/sccn/xdf/wiki/Specifications), one chunk at a time. */
import { closeSync, openSync, writeSync } from 'node:fs';

const HEADER = 1;
const STREAM_HEADER = 2;
const SAMPLES = 3;
const CLOCK_OFFSET = 4;
const STREAM_FOOTER = 6;

export interface Channel {
  label: string;
  unit: string;
}

export interface StreamInfo {
  name: string;
  type: 'Gaze' | 'Markers';
  format: 'double64' | 'string';
  /** Identifies the source, also after it has connected again. */
  source: string;
  channels: readonly Channel[];
}

/** One sample: its time in seconds, and its values, or the label of a marker. */
export interface Sample {
  time: number;
  values: readonly number[] | string;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
/** XML 1.0 allows no control characters, not even as escapes. */
export const xmlText = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ' ').replace(/[&<>"']/g, (c) => escapes[c]!);

const tag = (name: string, content: string | number) => `<${name}>${content}</${name}>`;

export const channelXml = ({ channels, type }: StreamInfo): string =>
  channels
    .map(({ label, unit }) => {
      const described = tag('label', xmlText(label)) + tag('unit', xmlText(unit)) + tag('type', type);
      return tag('channel', described);
    })
    .join('');

function headerXml(info: StreamInfo, created: number): string {
  const fields = {
    name: xmlText(info.name),
    type: info.type,
    channel_count: info.channels.length,
    nominal_srate: 0,
    channel_format: info.format,
    source_id: xmlText(info.source),
    created_at: created,
    desc: tag('channels', channelXml(info)) + tag('acquisition', tag('manufacturer', 'foveola')),
  };
  const content = Object.entries(fields).map(([name, value]) => tag(name, value));
  return `<?xml version="1.0"?>${tag('info', content.join(''))}`;
}

/** A length with the number of its bytes before it. */
function length(value: number): Buffer {
  const bytes = Buffer.alloc(value < 256 ? 2 : 5);
  bytes[0] = bytes.length - 1;
  if (value < 256) bytes[1] = value;
  else bytes.writeUInt32LE(value, 1);
  return bytes;
}

const number32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

const doubles = (...values: readonly number[]): Buffer => Buffer.from(new Float64Array(values).buffer);

function sampleBytes({ time, values }: Sample): Buffer {
  const stamp = [Buffer.of(8), doubles(time)];
  if (typeof values !== 'string') return Buffer.concat([...stamp, doubles(...values)]);
  const text = Buffer.from(values);
  return Buffer.concat([...stamp, length(text.length), text]);
}

/** Chunks are written at once, so that a recording that was cut off can be read up to its last chunk. */
export class XdfWriter {
  readonly #file: number;
  readonly #streams: { count: number; first: number; last: number }[] = [];

  /** @throws if the file exists or cannot be created */
  constructor(file: string) {
    this.#file = openSync(file, 'wx');
    writeSync(this.#file, 'XDF:');
    this.#chunk(HEADER, Buffer.from('<?xml version="1.0"?><info><version>1.0</version></info>'));
  }

  #chunk(kind: number, ...parts: Buffer[]): void {
    const content = Buffer.concat([Buffer.of(kind, 0), ...parts]);
    writeSync(this.#file, Buffer.concat([length(content.length), content]));
  }

  /** Returns the number of the new stream. */
  stream(info: StreamInfo, created: number): number {
    const id = this.#streams.push({ count: 0, first: 0, last: 0 });
    this.#chunk(STREAM_HEADER, number32(id), Buffer.from(headerXml(info, created)));
    return id;
  }

  /** `samples`: times on the clock of the source. */
  samples(id: number, samples: readonly Sample[]): void {
    if (!samples.length) return;
    const stream = this.#streams[id - 1]!;
    if (!stream.count) stream.first = samples[0]!.time;
    stream.last = samples.at(-1)!.time;
    stream.count += samples.length;
    this.#chunk(SAMPLES, number32(id), length(samples.length), ...samples.map(sampleBytes));
  }

  /** The clock of the source, in seconds, and how far the clock of the recording is ahead of it. */
  clock(id: number, time: number, offset: number): void {
    this.#chunk(CLOCK_OFFSET, number32(id), doubles(time, offset));
  }

  close(): void {
    this.#streams.forEach(({ count, first, last }, i) => {
      const times = tag('first_timestamp', first) + tag('last_timestamp', last) + tag('sample_count', count);
      this.#chunk(STREAM_FOOTER, number32(i + 1), Buffer.from(`<?xml version="1.0"?>${tag('info', times)}`));
    });
    closeSync(this.#file);
  }
}
