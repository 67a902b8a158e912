import { expect } from 'chai';
import { listCameras, openCamera, type CameraOptions } from '../../src/frames/camera.ts';
import { failure } from './made-frames.ts';

/** Replaces getUserMedia for one call. */
async function withCamera<T>(answer: (wanted: MediaStreamConstraints) => Promise<MediaStream>, body: () => Promise<T>) {
  const { mediaDevices } = navigator;
  const original = mediaDevices.getUserMedia;
  mediaDevices.getUserMedia = (wanted) => answer(wanted!);
  try {
    return await body();
  } finally {
    mediaDevices.getUserMedia = original;
  }
}
const refuse = (name: string) => () => Promise.reject(new DOMException('as asked for', name));
const stream = () => document.createElement('canvas').captureStream();

describe('camera', () => {
  it('every refusal has its code', async () => {
    const expected = {
      NotAllowedError: 'camera-denied',
      NotFoundError: 'camera-missing',
      NotReadableError: 'camera-missing',
      OverconstrainedError: 'camera-missing',
      TypeError: 'invalid-argument',
    };
    for (const [name, code] of Object.entries(expected))
      expect((await withCamera(refuse(name), () => failure(() => openCamera()))).code, name).to.equal(code);
  });

  it('asks for what is wished', async () => {
    let wanted: MediaStreamConstraints | undefined;
    const camera = await withCamera(
      async (constraints) => ((wanted = constraints), stream()),
      () => openCamera({ deviceId: 'abc', facing: 'user', width: 640, height: 480, frameRate: 60 }),
    );
    expect(wanted).to.deep.equal({
      audio: false,
      video: {
        deviceId: { exact: 'abc' },
        facingMode: { ideal: 'user' },
        width: { ideal: 640 },
        height: { ideal: 480 },
        frameRate: { ideal: 60 },
      },
    });
    camera.stop();
    expect(camera.track.readyState).to.equal('ended');
  });

  it('tells of a disconnect and goes on with a new stream', async () => {
    const camera = await withCamera(
      async () => stream(),
      () => openCamera(),
    );
    const events: string[] = [];
    for (const name of ['disconnect', 'resume']) camera.addEventListener(name, () => events.push(name));
    const before = camera.stream;
    before.getVideoTracks()[0]!.dispatchEvent(new Event('ended'));
    expect(camera.connected).to.equal(false);
    await withCamera(
      async () => stream(),
      () => camera.resume(),
    );
    expect([camera.connected, camera.stream === before, ...events]).to.deep.equal([
      true,
      false,
      'disconnect',
      'resume',
    ]);
    camera.stop();
    await camera.resume();
    expect(camera.connected).to.equal(false);
  });

  it('a list of cameras that cannot be read is no unhandled rejection: the next change of devices tries again', async () => {
    const camera = await withCamera(
      async () => stream(),
      () => openCamera(),
    );
    const deviceId = camera.settings.deviceId ?? '';
    camera.stream.getVideoTracks()[0]!.dispatchEvent(new Event('ended'));
    const { mediaDevices } = navigator;
    const unhandled: unknown[] = [];
    const note = (event: PromiseRejectionEvent) => {
      event.preventDefault();
      unhandled.push(event.reason);
    };
    addEventListener('unhandledrejection', note);
    try {
      mediaDevices.enumerateDevices = () => Promise.reject(new DOMException('as asked for', 'InvalidStateError'));
      mediaDevices.dispatchEvent(new Event('devicechange'));
      await new Promise((resolve) => setTimeout(resolve, 50)); // unhandled ones are reported after a task
      expect([unhandled, camera.connected]).to.deep.equal([[], false]);
      mediaDevices.enumerateDevices = async () => [{ kind: 'videoinput', deviceId } as MediaDeviceInfo];
      await withCamera(
        async () => stream(),
        async () => {
          const resumed = new Promise((resolve) => camera.addEventListener('resume', resolve, { once: true }));
          mediaDevices.dispatchEvent(new Event('devicechange'));
          await resumed;
        },
      );
      expect(camera.connected).to.equal(true);
    } finally {
      removeEventListener('unhandledrejection', note);
      delete (mediaDevices as Partial<MediaDevices>).enumerateDevices; // the prototype's again
      camera.stop();
    }
  });

  it('refuses bad options', async () => {
    for (const options of [{ facing: 'up' }, { width: 0 }, { frameRate: NaN }])
      expect((await failure(() => openCamera(options as CameraOptions))).code).to.equal('invalid-argument');
  });

  it('is blocked by the policy of a frame', async () => {
    const frame = document.createElement('iframe');
    frame.allow = "camera 'none'";
    frame.srcdoc =
      '<script type="module">import { openCamera } from "/src/frames/camera.ts"; try { await openCamera(); parent.postMessage("open") } catch (e) { parent.postMessage(e.code + "|" + e.message) }</script>';
    const answer = new Promise<string>((resolve) =>
      addEventListener('message', ({ data }) => typeof data === 'string' && resolve(data)),
    );
    document.body.append(frame);
    expect(await answer).to.match(/^camera-blocked-by-policy\|.*allow="camera"/);
    frame.remove();
  });

  it('lists cameras without opening one', async () => {
    expect(await listCameras()).to.be.an('array');
  });
});
