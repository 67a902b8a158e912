/**
 * Messages between a page in a frame and its portal, in two formats. SMART Web Messaging 1.0 (HL7): `scratchpad.create`
 * sends a FHIR resource to the open record. For portals without it, there are typed messages of our own. Both use
 * postMessage and check the origin in both directions. Nothing is sent to '*', and messages from other origins are
 * ignored and counted.
 */
import { shown } from '../runtime/check.ts';
import { FoveolaError } from '../runtime/error.ts';
import { version } from '../results/version.ts';
import { RecordCheck, newUuid } from './check.ts';
import type { Bundle } from './fhir-types.ts';
import type { Side } from './report.ts';

/** A message of SMART Web Messaging, in the form that postMessage accepts. */
export interface SmartMessage {
  messagingHandle: string;
  messageId: string;
  messageType: 'scratchpad.create';
  payload: { resource: { resourceType: string } };
}

export interface SmartResponse {
  messageId: string;
  responseToMessageId: string;
  additionalResponsesExpected?: boolean;
  /** `status`: as in HTTP, '201 Created'. `location`: address of the resource. `outcome`: an OperationOutcome. */
  payload: { status?: string; location?: string; outcome?: unknown };
}

/**
 * @param resource for instance a part of `toFhir(report).entry`, or the whole bundle
 * @param messagingHandle `smart_web_messaging_handle` of the SMART launch
 */
export function smartScratchpadCreate(
  resource: { resourceType: string },
  messagingHandle: string,
  messageId = newUuid(),
): SmartMessage {
  const check: RecordCheck = new RecordCheck('smartScratchpadCreate');
  check.object('resource', resource);
  for (const [path, value] of Object.entries({
    'resource.resourceType': resource.resourceType,
    messagingHandle,
    messageId,
  }))
    if (!check.text(path, value, 4096)) check.fail(path, 'must be a text that is not empty.');
  return { messagingHandle, messageId, messageType: 'scratchpad.create', payload: { resource } };
}

/** Payloads of our own messages, by type. */
export interface PortalPayloads {
  /** First message of both peers. */
  hello: { version: string };
  /** Portal to page: the subject of the next measurement. */
  context: { patient?: string; encounter?: string; laterality?: Side };
  /** Portal to page. `protocol`: a pupil test, by its name or as an object. */
  start: { protocol?: string | object };
  /** Portal to page. */
  stop: Record<string, never>;
  /** Page to portal. `progress` from 0 to 1. */
  state: { state: 'ready' | 'measuring' | 'done'; progress?: number };
  report: { fhir: Bundle; html?: string };
  error: { code: string; message: string };
  /** An answer that only confirms that the message arrived. */
  received: Record<string, never>;
}

export type PortalMessageType = keyof PortalPayloads;

export interface PortalMessage<T extends PortalMessageType = PortalMessageType> {
  /** Version of the protocol. */
  foveola: 1;
  id: string;
  type: T;
  payload: PortalPayloads[T];
  /** The id of the message that this one answers. */
  replyTo?: string;
}

const types: Readonly<Record<PortalMessageType, true>> = {
  ...{ hello: true, context: true, start: true, stop: true },
  ...{ state: true, report: true, error: true, received: true },
};

/** The other window: `window.parent` in a frame, `frame.contentWindow` in the portal. */
export interface PortalTarget {
  postMessage(message: unknown, targetOrigin: string): void;
}

interface IncomingMessage {
  readonly data: unknown;
  readonly origin: string;
  readonly source: unknown;
}

/** The window that receives messages. */
export interface PortalReceiver {
  addEventListener(type: 'message', listener: (event: IncomingMessage) => void): void;
  removeEventListener(type: 'message', listener: (event: IncomingMessage) => void): void;
}

export interface PortalChannelOptions {
  target: PortalTarget;
  receiver: PortalReceiver;
  /** Origins to send to and to accept messages from, such as 'https://portal.example'. Exact values, not patterns. */
  allowedOrigins: readonly string[];
  /** Milliseconds after which an unanswered request fails. */
  timeout?: number;
}

/** Ignored messages: from other origins, from other windows, and of unknown format. */
export interface IgnoredMessages {
  origin: number;
  source: number;
  form: number;
}

type Listener<T extends PortalMessageType> = (payload: PortalPayloads[T], message: PortalMessage<T>) => void;

interface Pending {
  resolve: (answer: never) => void;
  reject: (error: FoveolaError) => void;
  timer: ReturnType<typeof setTimeout>;
}

const check: RecordCheck = new RecordCheck('PortalChannel');

function checkType(type: string): void {
  if (typeof type !== 'string' || !Object.hasOwn(types, type))
    check.fail('type', `must be one of ${Object.keys(types).join(', ')}, not ${shown(type)}.`);
}

function originsOf(given: unknown): string[] {
  if (!Array.isArray(given) || !given.length) check.fail('allowedOrigins', 'must be a list of at least one origin.');
  return given.map((origin: unknown, i) => {
    let own = '';
    try {
      own = new URL(origin as string).origin;
    } catch {
      // not an address at all: reported below
    }
    if (own !== origin || !/^https?:/.test(own))
      check.fail(
        `allowedOrigins[${i}]`,
        `must be an origin such as 'https://portal.example', without a path or pattern, not ${shown(origin)}.`,
      );
    return own;
  });
}

export class PortalChannel {
  /** Number of ignored messages by reason. */
  readonly ignored: IgnoredMessages = { origin: 0, source: 0, form: 0 };
  readonly #origins: readonly string[];
  readonly #target: PortalTarget;
  readonly #receiver: PortalReceiver;
  readonly #timeout: number;
  readonly #listeners = new Map<PortalMessageType, Set<Listener<never>>>();
  readonly #pending = new Map<string, Pending>();
  readonly #hear = (event: IncomingMessage) => this.#receive(event);
  /** The origin that the peer has shown. */
  #peer: string | null = null;
  #disposed = false;

  /** Throws 'invalid-argument' if an origin is not valid, such as '*' or 'null'. */
  constructor(options: PortalChannelOptions) {
    check.object('options', options);
    const { target, receiver, allowedOrigins, timeout = 10_000 } = options;
    this.#origins = originsOf(allowedOrigins);
    if (typeof target?.postMessage !== 'function') check.fail('target', 'must be a window with postMessage.');
    if (typeof receiver?.addEventListener !== 'function' || typeof receiver.removeEventListener !== 'function')
      check.fail('receiver', 'must be a window with addEventListener and removeEventListener.');
    this.#target = target;
    this.#receiver = receiver;
    this.#timeout = check.known('timeout', timeout, 1);
    receiver.addEventListener('message', this.#hear);
  }

  /** The origin of the peer once it has sent a message. Null before. */
  get peerOrigin(): string | null {
    return this.#peer;
  }

  /** Calls the listener for each message of this type. Returns a function that removes the listener. */
  on<T extends PortalMessageType>(type: T, listener: Listener<T>): () => void {
    checkType(type);
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners);
    listeners.add(listener as Listener<never>);
    return () => listeners.delete(listener as Listener<never>);
  }

  /** Sends a message without waiting. Returns the message id. Throws 'disposed', 'invalid-argument'. */
  send<T extends PortalMessageType>(type: T, payload: PortalPayloads[T], replyTo?: string): string {
    checkType(type);
    const message = messageOf(type, payload, replyTo);
    this.#post(message);
    return message.id;
  }

  /** Introduces this peer with its version. */
  hello(): Promise<PortalPayloads[PortalMessageType]> {
    return this.request('hello', { version });
  }

  /**
   * Sends a message, waits for the answer and returns its payload.
   * @throws {FoveolaError} (rejects) 'aborted' without an answer in time, 'disposed'. An answer of type 'error' rejects
   * with 'internal' and its message
   */
  async request<T extends PortalMessageType>(
    type: T,
    payload: PortalPayloads[T],
  ): Promise<PortalPayloads[PortalMessageType]> {
    checkType(type);
    const message = messageOf(type, payload);
    const { type: answered, payload: answer } = await this.#ask<PortalMessage>(message, message.id, type);
    if (answered === 'error')
      throw new FoveolaError(
        'internal',
        `The portal refused '${type}': ${(answer as PortalPayloads['error']).message}`,
      );
    return answer;
  }

  /**
   * Sends a message of SMART Web Messaging and waits for its last response.
   * @throws {FoveolaError} (rejects) 'aborted' without a response in time, 'disposed'
   */
  async smart(message: SmartMessage): Promise<SmartResponse> {
    return this.#ask<SmartResponse>(message, message.messageId, message.messageType);
  }

  /** Stops sending and receiving. Pending requests fail with 'disposed'. Idempotent. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#receiver.removeEventListener('message', this.#hear);
    this.#listeners.clear();
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(new FoveolaError('disposed', 'The channel to the portal was disposed of before the answer came.'));
    }
    this.#pending.clear();
  }

  /** Starts waiting before the message is sent. */
  #ask<A>(message: PortalMessage | SmartMessage, id: string, what: string): Promise<A> {
    return new Promise<A>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        const text = `The portal did not answer '${what}' within ${this.#timeout} ms. Is it at one of ${this.#origins.join(', ')}?`;
        reject(new FoveolaError('aborted', text));
      }, this.#timeout);
      this.#pending.set(id, { resolve, reject, timer });
      try {
        this.#post(message);
      } catch (error) {
        clearTimeout(timer);
        this.#pending.delete(id);
        throw error; // rejects
      }
    });
  }

  /**
   * Until the peer has shown its origin, sends to each allowed origin. A browser delivers a message only to a window of
   * the matching origin.
   */
  #post(message: PortalMessage | SmartMessage): void {
    if (this.#disposed)
      throw new FoveolaError('disposed', 'The channel to the portal was disposed of. Make a new one.');
    for (const origin of this.#peer === null ? this.#origins : [this.#peer]) this.#target.postMessage(message, origin);
  }

  #receive({ data, origin, source }: IncomingMessage): void {
    if (!this.#origins.includes(origin)) this.ignored.origin++;
    else if (source !== this.#target) this.ignored.source++;
    else if (isPortalMessage(data)) {
      this.#peer = origin;
      if (data.replyTo !== undefined) this.#settle(data.replyTo, data);
      else
        for (const listener of this.#listeners.get(data.type) ?? [])
          (listener as Listener<PortalMessageType>)(data.payload, data);
    } else if (isSmartResponse(data)) {
      this.#peer = origin;
      if (data.additionalResponsesExpected !== true) this.#settle(data.responseToMessageId, data);
    } else this.ignored.form++;
  }

  /** An answer without a pending request is late or a duplicate. */
  #settle(id: string, answer: PortalMessage | SmartResponse): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    pending.resolve(answer as never);
  }
}

const messageOf = <T extends PortalMessageType>(
  type: T,
  payload: PortalPayloads[T],
  replyTo?: string,
): PortalMessage<T> => ({
  ...{ foveola: 1, id: newUuid(), type, payload },
  ...(replyTo !== undefined && { replyTo }),
});

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function isPortalMessage(data: unknown): data is PortalMessage {
  return (
    isObject(data) &&
    data.foveola === 1 &&
    typeof data.id === 'string' &&
    typeof data.type === 'string' &&
    Object.hasOwn(types, data.type) &&
    isObject(data.payload) &&
    (data.replyTo === undefined || typeof data.replyTo === 'string')
  );
}

function isSmartResponse(data: unknown): data is SmartResponse {
  return isObject(data) && typeof data.responseToMessageId === 'string' && isObject(data.payload);
}
