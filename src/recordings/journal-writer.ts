/**
 * Writes a recording while it is made: whenever it is asked, the bytes of what has come since. The file begins with what
 * the recording is; blocks of rows follow, and notes of whatever else has changed (markers, events, parameters, the hash of
 * the source). It only looks at the recording, so that it may begin late and may miss a call.
 */
import { FoveolaError } from '../runtime/error.ts';
import {
  type Block,
  blockHead,
  type BlockKind,
  blockBytes,
  blockKinds,
  joined,
  preamble,
  rowsPayload,
} from './blocks.ts';
import type { Marker, Recording, RecordingHeader } from '../results/recording.ts';
import type { EyeEvent } from '../results/types.ts';

// Encryption of a kept recording: AES-GCM, each block of its own, with a key that the page gives and that is never stored.
// The nonce is 8 bytes of chance of the file and the number of the block, so none is used twice with one key; the head of
// the block is authenticated with it, so blocks cannot change their places.

/** A key of Web Crypto for AES-GCM, or a function that gives it when it is needed. */
export type RecordingKey = CryptoKey | (() => CryptoKey | Promise<CryptoKey>);

const tagBytes = 16;

export class Seal {
  readonly #key: CryptoKey;
  readonly #chance: Uint8Array;

  /** @throws {FoveolaError} (rejects) 'invalid-argument' for what is no key for AES-GCM */
  static async create(given: RecordingKey, chance: Uint8Array): Promise<Seal> {
    const key = typeof given === 'function' ? await given() : given;
    if (key?.algorithm?.name !== 'AES-GCM')
      throw new FoveolaError(
        'invalid-argument',
        `The key of saved recordings must be a CryptoKey for AES-GCM, not ${key?.algorithm?.name ?? String(key)}.`,
      );
    return new Seal(key, chance);
  }

  private constructor(key: CryptoKey, chance: Uint8Array) {
    this.#key = key;
    this.#chance = chance;
  }

  #algorithm(kind: BlockKind, number: number, sealedLength: number): AesGcmParams {
    const iv = new Uint8Array(12);
    iv.set(this.#chance);
    new DataView(iv.buffer).setUint32(8, number);
    return { name: 'AES-GCM', iv, additionalData: blockHead(kind, number, sealedLength), tagLength: tagBytes * 8 };
  }

  async seal({ kind, number, payload }: Block): Promise<Block> {
    const how = this.#algorithm(kind, number, payload.length + tagBytes);
    return { kind, number, payload: new Uint8Array(await crypto.subtle.encrypt(how, this.#key, payload)) };
  }

  /** @throws {FoveolaError} (rejects) 'invalid-argument': another key, or bytes that were changed on purpose */
  async open({ kind, number, payload }: Block): Promise<Block> {
    try {
      const how = this.#algorithm(kind, number, payload.length);
      return { kind, number, payload: new Uint8Array(await crypto.subtle.decrypt(how, this.#key, payload)) };
    } catch (cause) {
      throw new FoveolaError(
        'invalid-argument',
        `The recording is intact but encrypted with another key. Pass the key used to record it.`,
        { cause },
      );
    }
  }
}

/** What the first block holds. */
export interface JournalAbout {
  /** Tag of the element that recorded. */
  element: string;
  columns: Recording['columns'];
  /** As it was when the recording began: versions, source, parameters, clock. */
  header: RecordingHeader;
}

/** What has changed, in the order in which it did. */
export interface JournalNote {
  /** The fields that are other than before. */
  header?: Partial<RecordingHeader>;
  /** These were set. */
  markers?: Marker[];
  /** These are all; one was taken back. */
  allMarkers?: Marker[];
  /** Blinks, closures and losses: new ones, and what became of those that were not final. */
  events?: EyeEvent[];
  /** The recording was ended, not broken off. */
  ended?: true;
}

/** Rows of a block at most: some 160 bytes a row stay far below the largest block. */
const rowsAtOnce = 2048;
const text = new TextEncoder();

export class JournalWriter {
  readonly #recording: Recording;
  readonly #seal: Seal | null;
  readonly #preamble: Uint8Array<ArrayBuffer>;
  readonly #about: JournalAbout;
  #number = 0;
  #rows = 0;
  /** Fields of the header as they were written, as JSON. */
  readonly #known = new Map<string, string>();
  #markers: Marker[] = [];
  /** Final events that were written, by pupil. */
  readonly #events: number[] = [];

  /**
   * @param key encrypts every block
   * @throws {FoveolaError} (rejects) 'invalid-argument' for what is no key for AES-GCM
   */
  static async create(about: JournalAbout, recording: Recording, key: RecordingKey | null = null) {
    const chance = crypto.getRandomValues(new Uint8Array(8));
    return new JournalWriter(about, recording, chance, key && (await Seal.create(key, chance)));
  }

  private constructor(about: JournalAbout, recording: Recording, chance: Uint8Array, seal: Seal | null) {
    this.#about = about;
    this.#recording = recording;
    this.#seal = seal;
    this.#preamble = preamble({ sealed: seal !== null, chance });
    this.#changes(about.header);
  }

  /** Rows that were given as bytes so far. */
  get rows(): number {
    return this.#rows;
  }

  /** What has come since the last call; with the first call the beginning of the file. Empty where nothing has come. */
  async take(header: RecordingHeader, ended = false): Promise<Uint8Array<ArrayBuffer>> {
    // All payloads are made before the first wait: the recording goes on meanwhile.
    const payloads: [BlockKind, Uint8Array<ArrayBuffer>][] = [];
    const json = (kind: BlockKind, value: JournalAbout | JournalNote) =>
      payloads.push([kind, text.encode(JSON.stringify(value))]);
    const begins = this.#number === 0;
    if (begins) json(blockKinds.about, this.#about);
    const { length } = this.#recording;
    for (let row = this.#rows; row < length; row += rowsAtOnce) {
      const to = Math.min(length, row + rowsAtOnce);
      payloads.push([blockKinds.rows, rowsPayload(this.#recording, row, to, header)]);
    }
    this.#rows = length;
    const news = { ...this.#changes(header), ...this.#newMarkers(), ...this.#newEvents() };
    const note: JournalNote = { ...news, ...(ended && { ended }) };
    if (Object.keys(note).length) json(blockKinds.note, note);
    const first = this.#number;
    this.#number += payloads.length;
    const blocks = await Promise.all(payloads.map(([kind, payload], i) => this.#block(kind, first + i, payload)));
    return joined(begins ? [this.#preamble, ...blocks] : blocks);
  }

  async #block(kind: BlockKind, number: number, payload: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    const block = { kind, number, payload };
    return blockBytes(this.#seal ? await this.#seal.seal(block) : block);
  }

  /** The counts stand with the rows. */
  #changes({ frames: _, dropped: __, ...header }: RecordingHeader): JournalNote {
    const changed: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(header)) {
      const json = JSON.stringify(value);
      if (this.#known.get(name) === json) continue;
      this.#known.set(name, json);
      changed[name] = value;
    }
    return Object.keys(changed).length ? { header: changed } : {};
  }

  /** One that lasts is written again and again: a recording that breaks off has it. */
  #newEvents(): JournalNote {
    const events = [0, 1].flatMap((pupil) => {
      const own = this.#recording.events.of(pupil);
      const written = this.#events[pupil] ?? 0;
      this.#events[pupil] = own.length - Number(own.at(-1)?.final === false);
      return own.slice(written);
    });
    return events.length ? { events } : {};
  }

  #newMarkers(): JournalNote {
    const { markers } = this.#recording;
    const before = this.#markers;
    this.#markers = [...markers];
    if (before.some((marker, i) => markers[i] !== marker)) return { allMarkers: this.#markers };
    const added = markers.slice(before.length);
    return added.length ? { markers: added } : {};
  }
}
