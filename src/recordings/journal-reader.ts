/**
 * Reads a saved recording, complete or truncated. Its rows arrive in pieces, so hours need no more memory than minutes.
 * Damaged parts are skipped and counted. Only a file with an unreadable beginning is refused.
 */
import { FoveolaError } from '../runtime/error.ts';
import { EventList, eventKinds } from '../results/event-list.ts';
import { arePupilColumns, flagRows } from '../results/export-pupil.ts';
import { type Marker, Recording, type RecordingHeader } from '../results/recording.ts';
import type { EyeEvent } from '../results/types.ts';
import {
  type Block,
  blockKinds,
  BlockScanner,
  joined,
  type Loss,
  preambleBytes,
  readPreamble,
  readRows,
  rowsHead,
} from './blocks.ts';
import { type JournalAbout, type JournalNote, type RecordingKey, Seal } from './journal-writer.ts';

/** The bytes of a saved recording, from the beginning at each call. */
export type JournalBytes = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Minimum rows of a piece. */
const rowsAtOnce = 4096;
const readAtOnce = 1 << 19;
const text = new TextDecoder();

/** Maximum rows for which memory is allocated before they are read. */
const mostAhead = 1 << 20;
/** Number of attempts to read a piece before the storage counts as broken. */
const tries = 20;

/**
 * The bytes of a file at its current length. `again`: opens the file again if data was appended meanwhile. An append
 * makes a File invalid (NotReadableError) although no earlier byte has changed.
 */
export const bytesOfBlob = (blob: Blob, again?: () => Promise<Blob>): JournalBytes =>
  async function* () {
    const { size } = blob;
    let now = blob;
    let failed = 0;
    for (let at = 0; at < size;)
      try {
        const piece = new Uint8Array(await now.slice(at, Math.min(size, at + readAtOnce)).arrayBuffer());
        at += piece.length;
        failed = 0;
        yield piece;
      } catch (error) {
        if (!again || (error as DOMException).name !== 'NotReadableError' || ++failed > tries) throw error;
        now = await again();
      }
  };

export class StoredRecording {
  readonly about: JournalAbout;
  /** State at the end of the recording, if it was written. `recovery` describes how the recording ended. */
  readonly header: RecordingHeader;
  /** In the order of creation. */
  readonly markers: readonly Marker[];
  /** Blinks, closures and losses of a pupil recording, by their onsets. */
  readonly events: readonly EyeEvent[];
  /** Number of rows that were read. */
  readonly rows: number;
  readonly #bytes: JournalBytes;
  readonly #seal: SealOf;

  /** @internal */
  constructor(
    about: JournalAbout,
    header: RecordingHeader,
    markers: readonly Marker[],
    events: readonly EyeEvent[],
    rows: number,
    bytes: JournalBytes,
    seal: SealOf,
  ) {
    this.about = about;
    this.header = header;
    this.markers = markers;
    this.events = events;
    this.rows = rows;
    this.#bytes = bytes;
    this.#seal = seal;
  }

  get columns(): JournalAbout['columns'] {
    return this.about.columns;
  }

  /** All rows, as recordings of a few thousand rows one after the other. Frames are never split. */
  async *pieces(): AsyncGenerator<Recording> {
    let piece = new Recording(this.about.columns);
    for await (const { kind, payload } of blocksOf(this.#bytes, this.#seal)) {
      if (kind !== blockKinds.rows) continue;
      holding(() => readRows(payload, piece));
      if (piece.length < rowsAtOnce) continue;
      yield this.#flagged(piece);
      piece = new Recording(this.about.columns);
    }
    if (piece.length) yield this.#flagged(piece);
  }

  /**
   * Updates the flags of rows, because they were written before the outcome of a blink was known. If data was lost, the
   * rows stay unchanged.
   */
  #flagged(piece: Recording): Recording {
    const { lostBlocks = 0, damagedBytes = 0 } = this.header.recovery ?? {};
    if (arePupilColumns(piece.columns) && !lostBlocks && !damagedBytes) flagRows(piece, this.events);
    return piece;
  }

  /** The whole recording in memory. */
  async recording(): Promise<Recording> {
    const whole = new Recording(this.about.columns, Math.min(Math.max(1, this.rows), mostAhead));
    for await (const { kind, payload } of blocksOf(this.#bytes, this.#seal))
      if (kind === blockKinds.rows) holding(() => readRows(payload, whole));
    for (const marker of this.markers) whole.markers.push({ ...marker });
    for (const event of this.events) whole.events.settle({ ...event });
    return this.#flagged(whole);
  }
}

type SealOf = (chance: Uint8Array) => Promise<Seal>;

const noKey = () =>
  new FoveolaError('invalid-argument', 'This recording is encrypted. Pass the key used to record it.');

/**
 * Every complete block, decrypted. An encrypted block that cannot be decrypted is skipped like a damaged one, except
 * the first.
 */
async function* blocksOf(bytes: JournalBytes, sealOf: SealOf, loss?: (loss: Loss) => void): AsyncGenerator<Block> {
  const scanner = new BlockScanner();
  let beginning: Uint8Array<ArrayBuffer> | null = new Uint8Array(0);
  let seal: Seal | null = null;
  let changed = 0;
  const opened = async function* (blocks: Block[]) {
    for (const block of blocks)
      try {
        yield seal ? await seal.open(block) : block;
      } catch (error) {
        if (block.number === 0) throw error;
        changed++;
      }
  };
  for await (let piece of bytes()) {
    if (beginning) {
      beginning = joined([beginning, piece]);
      if (beginning.length < preambleBytes) continue;
      const { sealed, chance } = readPreamble(beginning);
      if (sealed) seal = await sealOf(chance);
      piece = beginning.subarray(preambleBytes);
      beginning = null;
    }
    yield* opened(scanner.push(piece));
  }
  if (beginning) readPreamble(beginning); // too short: throws
  yield* opened(scanner.end());
  loss?.({ ...scanner.loss, lostBlocks: scanner.loss.lostBlocks + changed });
}

/** The contents of a block. A block with a valid checksum and invalid contents was not written by this library. */
function holding<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new FoveolaError(
      'decode-failed',
      `The recording cannot be read: one of its blocks has an unknown form (${(cause as Error).message}).`,
      { cause },
    );
  }
}

function parsed<T>(payload: Uint8Array, fits: (value: T) => boolean): T {
  return holding(() => {
    const value = JSON.parse(text.decode(payload)) as T;
    if (!fits(value)) throw new TypeError('a field is missing, or is of another kind');
    return value;
  });
}

const isAbout = ({ columns, header }: JournalAbout) =>
  columns.length > 0 &&
  columns.every(
    ({ name, type, values }) =>
      typeof name === 'string' && (type === 'choice' ? Array.isArray(values) : type === 'number' || type === 'boolean'),
  ) &&
  typeof header.source.name === 'string' &&
  typeof header.parameters === 'object';
const areMarkers = (markers: JournalNote['markers'] = []) =>
  markers.every(({ label, timestamp }) => typeof label === 'string' && Number.isFinite(timestamp));
const areEvents = (events: JournalNote['events'] = []) =>
  events.every(
    ({ kind, onset, offset, pupil }) =>
      eventKinds.includes(kind) && [onset, offset].every(Number.isFinite) && (pupil === 0 || pupil === 1),
  );
const isNote = ({ header = {}, markers, allMarkers, events }: JournalNote) =>
  typeof header === 'object' && areMarkers(markers) && areMarkers(allMarkers) && areEvents(events);

/**
 * @param key required if the recording is encrypted
 * @throws {FoveolaError} (rejects) 'decode-failed': it is not a saved recording, or its beginning is damaged.
 * 'invalid-argument': it is encrypted, and the key is missing or wrong
 */
export async function readJournal(bytes: JournalBytes, key: RecordingKey | null = null): Promise<StoredRecording> {
  let opening: Promise<Seal> | null = null;
  const sealOf: SealOf = async (chance) => {
    if (!key) throw noKey();
    return (opening ??= Seal.create(key, chance));
  };
  let about: JournalAbout | null = null;
  let header: Partial<RecordingHeader> = {};
  let markers: Marker[] = [];
  const events = new EventList();
  let rows = 0;
  let ended = false;
  let loss: Loss = { tornBytes: 0, damagedBytes: 0, lostBlocks: 0 };
  for await (const { kind, payload } of blocksOf(bytes, sealOf, (lost) => (loss = lost))) {
    if (kind === blockKinds.about) about = parsed(payload, isAbout);
    else if (kind === blockKinds.rows) {
      const { rows: count, frames, dropped } = holding(() => rowsHead(payload));
      rows += count;
      header = { ...header, frames, dropped };
    } else {
      const note = parsed(payload, isNote);
      header = { ...header, ...note.header };
      markers = note.allMarkers ?? [...markers, ...(note.markers ?? [])];
      for (const event of note.events ?? []) events.settle(event);
      ended ||= note.ended ?? false;
    }
  }
  if (!about)
    throw new FoveolaError(
      'decode-failed',
      'The recording cannot be read: its description block is missing or damaged.',
    );
  const recovery = { ended, ...loss };
  return new StoredRecording(about, { ...about.header, ...header, recovery }, markers, events.all, rows, bytes, sealOf);
}
