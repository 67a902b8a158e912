/**
 * Encryption of a kept recording: AES-GCM, each block of its own, with a key that the page gives and that is never stored.
 * The nonce is 8 bytes of chance of the file and the number of the block, so none is used twice with one key; the head of
 * the block is authenticated with it, so blocks cannot change their places.
 */
import { FoveolaError } from '../runtime/error.ts';
import { type Block, blockHead, type BlockKind } from './blocks.ts';

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
        `The key of kept recordings must be a CryptoKey for AES-GCM, not ${key?.algorithm?.name ?? String(key)}.`,
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
        `The key does not open this recording: its bytes are whole, but encrypted with another key. Give the key with which it was recorded.`,
        { cause },
      );
    }
  }
}
