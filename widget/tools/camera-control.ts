/** Manages one camera of an element: choosing, opening, changing, unplugging, plugging in again and closing. */
import {
  listCameras,
  type Camera,
  FoveolaError,
  openCamera,
  type CameraOptions,
  asFoveolaError,
} from '../../src/index.ts';
import { PATIENCE, within } from '../../src/internal.ts';

// Capabilities and current settings of an open camera, for the settings below the image.

export interface CameraAbilities {
  devices: { deviceId: string; label: string }[];
  deviceId: string;
  sizes: [width: number, height: number][];
  rates: number[];
  width: number;
  height: number;
  frameRate: number;
  facing: 'user' | 'environment' | null;
}

const usualSizes: [number, number][] = [
  [320, 240],
  [640, 480],
  [800, 600],
  [1280, 720],
  [1280, 1024],
  [1920, 1080],
  [2560, 1440],
  [3840, 2160],
];

async function cameraAbilities(camera: Camera): Promise<CameraAbilities> {
  const { track, settings } = camera;
  const able = track.getCapabilities?.() ?? {};
  const devices = await listCameras();
  const { width = 0, height = 0, frameRate = 0, deviceId = '', facingMode } = settings;
  const fits = (w: number, h: number) => w <= (able.width?.max ?? 1920) && h <= (able.height?.max ?? 1080);
  const sizes = usualSizes.filter(([w, h]) => fits(w, h));
  if (width && !sizes.some(([w, h]) => w === width && h === height)) sizes.push([width, height]);
  sizes.sort((a, b) => a[0] * a[1] - b[0] * b[1]);
  const rates = [15, 30, 60, 90, 120, 200].filter((rate) => rate <= (able.frameRate?.max ?? 60) + 0.5);
  const facing = facingMode === 'user' || facingMode === 'environment' ? facingMode : null;
  return { devices, deviceId, sizes, rates, width, height, frameRate, facing };
}

interface CameraHost {
  /** A stream is available (again). The element opens it as its source. */
  onStream(stream: MediaStream, name: string): void;
  onCameraLost(error: FoveolaError): void;
  onCameraChanged(): void;
}

const unanswered = `The camera has not answered for ${PATIENCE} s. Allow this page to use it, or close other programs that use it.`;

/** Parses the attribute `camera`: a direction, a device id, or any camera. */
export const cameraNamed = (which: string): CameraOptions =>
  which === 'user' || which === 'environment' ? { facing: which } : which ? { deviceId: which } : {};

export class CameraControl {
  readonly #host: CameraHost;
  #options: CameraOptions = {};
  #camera: Camera | null = null;
  #abilities: CameraAbilities | null = null;
  #attempt = 0;

  constructor(host: CameraHost) {
    this.#host = host;
  }

  get open(): boolean {
    return this.#camera !== null;
  }

  get deviceId(): string | null {
    return this.#camera?.settings.deviceId ?? null;
  }

  get abilities(): CameraAbilities | null {
    return this.#abilities;
  }

  /** Requests the camera from the browser, which asks the user. If it is refused, throws an error with advice. */
  async start(options: CameraOptions): Promise<void> {
    const attempt = ++this.#attempt;
    this.#options = options;
    this.#release(); // some systems open a camera only once, even for a single page
    const opening = openCamera(options).then((camera) => this.#opened(camera, attempt));
    // The user may answer late. The camera is then opened anyway, or the problem is reported.
    let late = false;
    opening.catch((error) => late && attempt === this.#attempt && this.#host.onCameraLost(error as FoveolaError));
    await within(opening, () => ((late = true), new FoveolaError('source-not-ready', unanswered)));
  }

  async #opened(camera: Camera, attempt: number): Promise<void> {
    if (attempt !== this.#attempt) return camera.stop(); // closed or requested again in the meantime
    this.#camera = camera;
    camera.addEventListener('disconnect', () => {
      if (camera !== this.#camera) return;
      const text = 'The camera was disconnected. Connect it again to continue.';
      this.#host.onCameraLost(new FoveolaError('camera-missing', text));
    });
    camera.addEventListener('resume', () => void this.#show(camera));
    await this.#show(camera);
  }

  /** Switches device, resolution or rate, without reopening the camera if possible. */
  async change(change: CameraOptions): Promise<void> {
    const camera = this.#camera;
    const options = { ...this.#options, ...change };
    if (change.deviceId !== undefined) delete options.facing;
    if (!camera || change.deviceId !== undefined || change.facing !== undefined) return this.start(options);
    this.#options = options;
    const { width, height, frameRate } = options;
    try {
      await camera.track.applyConstraints({
        ...(width && { width: { ideal: width } }),
        ...(height && { height: { ideal: height } }),
        ...(frameRate && { frameRate: { ideal: frameRate } }),
      });
      await this.#show(camera);
    } catch {
      await this.start(options);
    }
  }

  /** Switches between front and back camera. If cameras do not report a direction, switches to the next one. */
  async flip(): Promise<void> {
    const { facing, devices, deviceId } = this.#abilities ?? {};
    if (facing) {
      const { deviceId: _, ...options } = this.#options;
      return this.start({ ...options, facing: facing === 'user' ? 'environment' : 'user' });
    }
    const at = devices?.findIndex((device) => device.deviceId === deviceId) ?? 0;
    const next = devices?.[(at + 1) % devices.length];
    if (next) await this.change({ deviceId: next.deviceId });
  }

  stop(): void {
    this.#attempt++;
    this.#release();
  }

  #release(): void {
    this.#camera?.stop();
    this.#camera = null;
    this.#abilities = null;
  }

  async #show(camera: Camera): Promise<void> {
    this.#host.onStream(camera.stream, camera.track.label || 'camera');
    try {
      const abilities = await cameraAbilities(camera);
      if (camera !== this.#camera) return;
      this.#abilities = abilities;
      this.#host.onCameraChanged();
    } catch (error) {
      this.#host.onCameraLost(asFoveolaError(error, 'The camera'));
    }
  }
}
