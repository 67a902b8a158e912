/** What an open camera can do and does, for the settings below the picture. */
import { listCameras, type Camera } from '../../src/index.ts';

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

export async function cameraAbilities(camera: Camera): Promise<CameraAbilities> {
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
