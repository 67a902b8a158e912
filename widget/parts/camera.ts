/** Opening a camera and asking what it can do. Every refusal becomes the error that says what to change. */
import { FoveolaError } from '../../src/index.ts';

export interface CameraChoice {
  /** 'user', 'environment' or a device id; empty for any. */
  which?: string;
  width?: number;
  height?: number;
  frameRate?: number;
}

interface Policy {
  allowsFeature(name: string): boolean;
}

const blocked = () => {
  const { permissionsPolicy, featurePolicy } = document as { permissionsPolicy?: Policy; featurePolicy?: Policy };
  const policy = permissionsPolicy ?? featurePolicy;
  return policy ? !policy.allowsFeature('camera') : false;
};

const byPolicy = (cause?: unknown) =>
  new FoveolaError(
    'camera-blocked-by-policy',
    window === window.top
      ? 'This page forbids the camera by its Permissions-Policy header. Remove camera=() there.'
      : 'The page around this frame does not pass the camera on. Add allow="camera" to its <iframe>.',
    { cause },
  );

function constraints({ which, width, height, frameRate }: CameraChoice): MediaTrackConstraints {
  const facing = which === 'user' || which === 'environment';
  return {
    ...(which && (facing ? { facingMode: { ideal: which } } : { deviceId: { exact: which } })),
    ...(width && { width: { ideal: width } }),
    ...(height && { height: { ideal: height } }),
    ...(frameRate && { frameRate: { ideal: frameRate } }),
  };
}

export async function openCamera(choice: CameraChoice): Promise<MediaStream> {
  if (!navigator.mediaDevices?.getUserMedia)
    throw new FoveolaError('insecure-context', 'Cameras are only given to secure pages. Serve this page by https.');
  if (blocked()) throw byPolicy();
  try {
    return await navigator.mediaDevices.getUserMedia({ video: constraints(choice), audio: false });
  } catch (error) {
    const { name } = error as DOMException;
    if (name === 'NotAllowedError' || name === 'SecurityError') {
      // In a frame the browser may refuse without telling that the outer page is the cause.
      if (blocked()) throw byPolicy(error);
      throw new FoveolaError(
        'camera-denied',
        "The camera was not allowed. Allow it in the browser's address bar (and in the system's privacy settings), then start it again.",
        { cause: error },
      );
    }
    if (name === 'NotReadableError' || name === 'AbortError')
      throw new FoveolaError('camera-missing', 'The camera is in use by another program. Close that, then try again.', {
        cause: error,
      });
    throw new FoveolaError(
      'camera-missing',
      choice.which && name === 'OverconstrainedError'
        ? 'The chosen camera is not there. Connect it, or choose another one.'
        : 'No camera was found. Connect one, then start it again.',
      { cause: error },
    );
  }
}

export interface CameraOptions {
  devices: { id: string; label: string }[];
  device: string;
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

/** What can be chosen for an open camera, and what it does now. */
export async function cameraOptions(stream: MediaStream): Promise<CameraOptions> {
  const track = stream.getVideoTracks()[0]!;
  const settings = track.getSettings();
  const able = track.getCapabilities?.() ?? {};
  const devices = (await navigator.mediaDevices.enumerateDevices())
    .filter((device) => device.kind === 'videoinput')
    .map((device) => ({ id: device.deviceId, label: device.label }));
  const { width = 0, height = 0, frameRate = 0 } = settings;
  const fits = (w: number, h: number) => w <= (able.width?.max ?? 1920) && h <= (able.height?.max ?? 1080);
  const sizes = usualSizes.filter(([w, h]) => fits(w, h));
  if (width && !sizes.some(([w, h]) => w === width && h === height)) sizes.push([width, height]);
  sizes.sort((a, b) => a[0] * a[1] - b[0] * b[1]);
  const rates = [15, 30, 60, 90, 120, 200].filter((rate) => rate <= (able.frameRate?.max ?? 60) + 0.5);
  const facing = settings.facingMode === 'user' || settings.facingMode === 'environment' ? settings.facingMode : null;
  return { devices, device: settings.deviceId ?? '', sizes, rates, width, height, frameRate, facing };
}
