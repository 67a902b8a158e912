/**
 * Writes a recording while it is being made: each call returns the bytes added since the last one. The file begins with
 * a description of the recording. Blocks of rows follow, and notes about other changes (markers, events, parameters,
 * the hash of the source). The writer only reads the recording, so it may begin late and may miss a call.
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

// Encryption of a saved recording: AES-GCM, each block separately, with a key from the page that is never stored. The
// nonce consists of 8 random bytes of the file and the number of the block, so no nonce is used twice with one key. The
// head of the block is authenticated as well, so blocks cannot be reordered.

/** A key of Web Crypto for AES-GCM, or a function that returns it when it is needed. */
export type RecordingKey = CryptoKey | (() => CryptoKey | Promise<CryptoKey>);

const tagBytes = 16;

export class Seal {
  readonly #key: CryptoKey;
  readonly #chance: Uint8Array;

  /** @throws {FoveolaError} (rejects) 'invalid-argument' if it is not a key for AES-GCM */
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

  /** @throws {FoveolaError} (rejects) 'invalid-argument': another key, or bytes that were deliberately changed */
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

/** The contents of the first block. */
export interface JournalAbout {
  /** Tag of the element that recorded. */
  element: string;
  columns: Recording['columns'];
  /** State when the recording began: versions, source, parameters, clock. */
  header: RecordingHeader;
}

/** Changes in chronological order. */
export interface JournalNote {
  /** The fields that have changed. */
  header?: Partial<RecordingHeader>;
  /** New markers. */
  markers?: Marker[];
  /** All markers, because one was removed. */
  allMarkers?: Marker[];
  /** Blinks, closures and losses: new ones, and updates of events that were not final. */
  events?: EyeEvent[];
  /** The recording was ended and not interrupted. */
  ended?: true;
}

/** Maximum rows of a block. About 160 bytes per row stay far below the largest block. */
const rowsAtOnce = 2048;
const text = new TextEncoder();

export class JournalWriter {
  readonly #recording: Recording;
  readonly #seal: Seal | null;
  readonly #preamble: Uint8Array<ArrayBuffer>;
  readonly #about: JournalAbout;
  #number = 0;
  #rows = 0;
  /** Fields of the header that were written, as JSON. */
  readonly #known = new Map<string, string>();
  #markers: Marker[] = [];
  /** Number of final events that were written, by pupil. */
  readonly #events: number[] = [];

  /**
   * @param key encrypts every block
   * @throws {FoveolaError} (rejects) 'invalid-argument' if it is not a key for AES-GCM
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

  /** Number of rows returned as bytes so far. */
  get rows(): number {
    return this.#rows;
  }

  /**
   * Bytes for everything new since the last call. The first call includes the beginning of the file. Empty if there is
   * nothing new.
   */
  async take(header: RecordingHeader, ended = false): Promise<Uint8Array<ArrayBuffer>> {
    // All payloads are made before the first wait, because the recording continues meanwhile.
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

  /** The counts are stored with the rows. */
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

  /** An event that lasts is written repeatedly, so that an interrupted recording contains it. */
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
