/**
 * Cameras. Nothing is opened and no permission is requested before a call of `openCamera`. Every error says what to
 * change.
 */
import { FoveolaError } from '../runtime/error.ts';

/**
 * Which policy blocks the camera on this page. A frame of the same origin gets the camera without an attribute, so
 * there the cause is a header or a sandbox. For another origin it is the attribute, or a header that cannot be read
 * from here.
 */
interface Policy {
  allowsFeature(name: string): boolean;
}

const policyOf = (page: Document): Policy | undefined => {
  const { permissionsPolicy, featurePolicy } = page as { permissionsPolicy?: Policy; featurePolicy?: Policy };
  return permissionsPolicy ?? featurePolicy;
};

const forbids = (page: Document) => policyOf(page)?.allowsFeature('camera') === false;

/** Also false if the browser does not report it. */
const forbiddenByPolicy = (): boolean => forbids(document);

/** The element around a window. Null for the top page, and if the parent page is of another origin. */
function frameOf(page: Window): Element | null {
  try {
    return page.frameElement;
  } catch {
    return null;
  }
}

/** Advice on what to change if the policy blocks the camera. */
function policyAdvice(): string {
  let page: Window = window;
  // Find the outermost page that blocks it. The inner pages only inherit the policy.
  for (let frame = frameOf(page); frame && forbids(frame.ownerDocument); frame = frameOf(page)) page = page.parent;
  const own = page === window;
  if (page === window.top)
    return own
      ? 'This page forbids cameras in its Permissions-Policy header. Remove camera=() from it.'
      : `The page around this frame (${page.location.pathname}) forbids cameras in its Permissions-Policy header. Remove camera=() from it.`;
  const frame = frameOf(page);
  if (frame)
    return /\bcamera\b/.test(frame.getAttribute('allow') ?? '')
      ? `The <iframe> of this page withholds the camera by allow="${frame.getAttribute('allow')}"; write allow="camera".`
      : `The page in this frame (${page.location.pathname}) forbids cameras in its Permissions-Policy header. Remove camera=() from it.`;
  if (self.origin === 'null')
    return 'This sandboxed frame has no origin, so it gets no camera. Add allow-same-origin to the sandbox attribute of its <iframe>.';
  return 'The page around this frame withholds the camera. Add allow="camera" to its <iframe>, or remove camera=() from its Permissions-Policy header.';
}

/** Other possible causes if the browser reports only that the camera was not allowed. */
function frameAdvice(): string {
  const stated = policyOf(document) !== undefined;
  let page: Window = window;
  while (frameOf(page)) page = page.parent;
  return stated || page === window.top ? '' : ' (and allow="camera" on the <iframe>)';
}

export interface CameraOptions {
  /** Result of listCameras(). */
  deviceId?: string;
  /** 'user': towards the face, 'environment': away from it. */
  facing?: 'user' | 'environment';
  /** Preferred values. The camera chooses the nearest, see `camera.settings`. */
  width?: number;
  height?: number;
  frameRate?: number;
  /** Open the camera again when it is plugged in after a disconnect. Default true. */
  resume?: boolean;
}

export interface CameraDevice {
  deviceId: string;
  /** Empty until the user has allowed a camera once. */
  label: string;
}

const policyError = (cause?: unknown) => new FoveolaError('camera-blocked-by-policy', policyAdvice(), { cause });

function mediaDevices(): MediaDevices {
  const { mediaDevices: devices } = navigator;
  if (!isSecureContext || !devices?.getUserMedia)
    throw new FoveolaError(
      'insecure-context',
      'Browsers allow cameras only on secure pages. Serve this page over https.',
    );
  return devices;
}

/** Maps the errors of getUserMedia. */
function cameraError(cause: unknown, options: CameraOptions): FoveolaError {
  const { name = '', message = '' } = cause as DOMException;
  switch (name) {
    case 'NotAllowedError':
    case 'SecurityError':
      if (forbiddenByPolicy()) return policyError(cause);
      return new FoveolaError(
        'camera-denied',
        `The camera was not allowed. Allow it in the browser's address bar and in the system's privacy settings${frameAdvice()}, then try again.`,
        { cause },
      );
    case 'NotReadableError':
    case 'AbortError':
      return new FoveolaError('camera-missing', 'The camera is in use by another program. Close it, then try again.', {
        cause,
      });
    case 'OverconstrainedError':
      return new FoveolaError(
        'camera-missing',
        options.deviceId
          ? 'The chosen camera is not connected. Connect it or choose another one.'
          : `No camera matches: ${message}`,
        { cause },
      );
    case 'NotFoundError':
      return new FoveolaError('camera-missing', 'No camera was found. Connect one, then try again.', { cause });
    default:
      return new FoveolaError('invalid-argument', `The camera could not be opened with these options: ${message}`, {
        cause,
      });
  }
}

function check({ facing, ...numbers }: CameraOptions): void {
  if (facing !== undefined && facing !== 'user' && facing !== 'environment')
    throw new FoveolaError(
      'invalid-argument',
      `openCamera: facing must be 'user' or 'environment', not ${String(facing)}.`,
    );
  for (const name of ['width', 'height', 'frameRate'] as const)
    if (numbers[name] !== undefined && !(numbers[name] > 0))
      throw new FoveolaError('invalid-argument', `openCamera: ${name} must be above 0, not ${String(numbers[name])}.`);
}

async function request(options: CameraOptions): Promise<MediaStream> {
  const { deviceId, facing, width, height, frameRate } = options;
  const video: MediaTrackConstraints = {
    ...(deviceId && { deviceId: { exact: deviceId } }),
    ...(facing && { facingMode: { ideal: facing } }),
    ...(width && { width: { ideal: width } }),
    ...(height && { height: { ideal: height } }),
    ...(frameRate && { frameRate: { ideal: frameRate } }),
  };
  const devices = mediaDevices();
  if (forbiddenByPolicy()) throw policyError();
  try {
    return await devices.getUserMedia({ video, audio: false });
  } catch (cause) {
    throw cameraError(cause, options);
  }
}

/** An open camera. Events: 'disconnect' (unplugged or taken away), 'resume' (available again, with a new `stream`). */
export class Camera extends EventTarget {
  #stream: MediaStream;
  readonly #options: CameraOptions;
  #stopped = false;
  #connected = true;

  constructor(stream: MediaStream, options: CameraOptions) {
    super();
    this.#stream = stream;
    this.#options = { ...options, deviceId: stream.getVideoTracks()[0]?.getSettings().deviceId ?? options.deviceId };
    this.#watch();
  }

  get stream(): MediaStream {
    return this.#stream;
  }
  get track(): MediaStreamTrack {
    return this.#stream.getVideoTracks()[0]!;
  }
  get connected(): boolean {
    return this.#connected;
  }
  /** Current settings of the camera: width, height, frameRate, facingMode, deviceId. */
  get settings(): MediaTrackSettings {
    return this.track.getSettings();
  }

  #watch(): void {
    this.track.addEventListener('ended', () => this.#lose(), { once: true }); // not fired by stop()
  }

  #lose(): void {
    if (this.#stopped) return;
    this.#connected = false;
    if (this.#options.resume ?? true) navigator.mediaDevices.addEventListener('devicechange', this.#retry);
    this.dispatchEvent(new Event('disconnect'));
  }

  readonly #retry = (): void => {
    this.#resumeWhereBack().catch(() => {}); // Not ready yet: the next change of devices tries again.
  };

  async #resumeWhereBack(): Promise<void> {
    const devices = await listCameras();
    if (this.#stopped || this.#connected) return;
    if (devices.some(({ deviceId }) => deviceId === this.#options.deviceId)) await this.resume();
  }

  /** Opens the camera again after a disconnect. */
  async resume(): Promise<void> {
    if (this.#connected || this.#stopped) return;
    const stream = await request(this.#options);
    if (this.#connected || this.#stopped) return stream.getTracks().forEach((track) => track.stop());
    navigator.mediaDevices.removeEventListener('devicechange', this.#retry);
    this.#stream = stream;
    this.#connected = true;
    this.#watch();
    this.dispatchEvent(new Event('resume'));
  }

  /** Switches the camera off. Idempotent. */
  stop(): void {
    this.#stopped = true;
    this.#connected = false;
    navigator.mediaDevices.removeEventListener('devicechange', this.#retry);
    for (const track of this.#stream.getTracks()) track.stop();
  }
}

/**
 * Opens a camera. The browser asks the user for permission if necessary.
 * @throws {FoveolaError} 'insecure-context', 'camera-blocked-by-policy', 'camera-denied', 'camera-missing',
 * 'invalid-argument'
 */
export async function openCamera(options: CameraOptions = {}): Promise<Camera> {
  check(options);
  return new Camera(await request(options), options);
}

/** The cameras of this device. Their names are available only after one was allowed. Opens none. */
export async function listCameras(): Promise<CameraDevice[]> {
  const devices = await mediaDevices().enumerateDevices();
  return devices.filter(({ kind }) => kind === 'videoinput').map(({ deviceId, label }) => ({ deviceId, label }));
}
