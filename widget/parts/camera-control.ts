/** One camera over its life: chosen, opened, changed, pulled out, put back, closed. */
import { FoveolaError } from '../../src/index.ts';
import { cameraOptions, openCamera, type CameraChoice, type CameraOptions } from './camera.ts';

export interface CameraHost {
  /** A stream is there (again); the element opens it as its source. */
  onStream(stream: MediaStream, name: string): void;
  onCameraLost(error: FoveolaError): void;
  onCameraOptions(): void;
}

export class CameraControl {
  readonly #host: CameraHost;
  #choice: CameraChoice = {};
  #stream: MediaStream | null = null;
  #options: CameraOptions | null = null;
  #waiting: AbortController | null = null;
  #attempt = 0;

  constructor(host: CameraHost) {
    this.#host = host;
  }

  get open(): boolean {
    return this.#stream !== null;
  }

  get options(): CameraOptions | null {
    return this.#options;
  }

  /** Asks the browser, which asks the user. Throws what to do when it is refused. */
  async start(change: CameraChoice = {}): Promise<void> {
    const attempt = ++this.#attempt;
    this.#choice = { ...this.#choice, ...change };
    this.#release(); // some systems give a camera only once, also to one page
    const stream = await openCamera(this.#choice);
    if (attempt !== this.#attempt) {
      for (const track of stream.getTracks()) track.stop(); // closed, or asked again, in the meantime
      return;
    }
    this.#stream = stream;
    const track = stream.getVideoTracks()[0]!;
    track.addEventListener('ended', () => this.#lost(stream));
    this.#host.onStream(stream, track.label || 'camera');
    await this.#refresh(stream);
  }

  /** Resolution or rate of the open camera, without opening it again where it can be done so. */
  async change(change: CameraChoice): Promise<void> {
    const track = this.#stream?.getVideoTracks()[0];
    if (!track || change.which !== undefined) return this.start(change);
    this.#choice = { ...this.#choice, ...change };
    const { width, height, frameRate } = this.#choice;
    try {
      await track.applyConstraints({
        ...(width && { width: { ideal: width } }),
        ...(height && { height: { ideal: height } }),
        ...(frameRate && { frameRate: { ideal: frameRate } }),
      });
      this.#host.onStream(this.#stream!, track.label || 'camera');
      await this.#refresh(this.#stream!);
    } catch {
      await this.start(change);
    }
  }

  /** Front to back and back; where cameras do not say which they are, the next one. */
  async flip(): Promise<void> {
    const options = this.#options;
    if (!options) return;
    if (options.facing) return this.start({ which: options.facing === 'user' ? 'environment' : 'user' });
    const at = options.devices.findIndex((device) => device.id === options.device);
    const next = options.devices[(at + 1) % options.devices.length];
    if (next) await this.start({ which: next.id });
  }

  stop(): void {
    this.#attempt++;
    this.#waiting?.abort();
    this.#waiting = null;
    this.#release();
    this.#options = null;
  }

  #release(): void {
    const stream = this.#stream;
    this.#stream = null;
    for (const track of stream?.getTracks() ?? []) track.stop();
  }

  async #refresh(stream: MediaStream): Promise<void> {
    const options = await cameraOptions(stream).catch(() => null);
    if (stream !== this.#stream) return;
    this.#options = options;
    this.#host.onCameraOptions();
  }

  // Pulled out: wait for the same device and go on with it.
  #lost(stream: MediaStream): void {
    if (stream !== this.#stream) return;
    const device = this.#options?.device;
    this.#release();
    this.#host.onCameraLost(
      new FoveolaError('camera-missing', 'The camera was disconnected. Connect it again and tracking goes on.'),
    );
    this.#waiting?.abort();
    const waiting = (this.#waiting = new AbortController());
    navigator.mediaDevices.addEventListener(
      'devicechange',
      async () => {
        const devices = await navigator.mediaDevices.enumerateDevices();
        if (waiting.signal.aborted || !devices.some((d) => d.kind === 'videoinput' && d.deviceId === device)) return;
        waiting.abort();
        await this.start(device ? { which: device } : {}).catch((error: FoveolaError) =>
          this.#host.onCameraLost(error),
        );
      },
      { signal: waiting.signal },
    );
  }
}
