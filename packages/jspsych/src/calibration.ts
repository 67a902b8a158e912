/**
 * Plug-in: millimeters per pixel from a disc of known size, which the person holds at the eye. A line from edge to edge
 * marks the disc in a still image. The number field does the same without a pointer.
 */
import { type JsPsych, type JsPsychPlugin, ParameterType } from 'jspsych';
import { version } from '../package.json';
import { button, cameraVideo, element, extensionOf, finish, simulateTrial, type Given } from './dom.ts';
import { messageOf } from './trial-data.ts';

const info = {
  name: 'foveola-calibration',
  version,
  parameters: {
    /** Diameter of the disc, in mm. */
    disc: { type: ParameterType.FLOAT, default: 10 },
    prompt: {
      type: ParameterType.STRING,
      default: 'Hold the disc next to your eye, facing the camera. Take the picture. Then draw a line across the disc.',
    },
  },
  data: {
    /** Millimeters per pixel. Null if the person skipped the calibration. */
    millimetres_per_pixel: { type: ParameterType.FLOAT },
    /** Marked diameter, in pixels. */
    disc_px: { type: ParameterType.FLOAT },
    disc_mm: { type: ParameterType.FLOAT },
    /** Message if there is no camera. Otherwise null. */
    error: { type: ParameterType.STRING },
  },
} as const;

export class CalibrationPlugin implements JsPsychPlugin<typeof info> {
  static readonly info = info;
  readonly #jsPsych: JsPsych;

  constructor(jsPsych: JsPsych) {
    this.#jsPsych = jsPsych;
  }

  trial(display: HTMLElement, trial: Given<typeof info>, onLoad?: () => void): void {
    const extension = extensionOf(this.#jsPsych);
    const end = (scale: number | null, pixels: number | null, error: string | null = null) =>
      finish(this.#jsPsych, display, { millimetres_per_pixel: scale, disc_px: pixels, disc_mm: trial.disc, error });
    const apply = async (pixels: number) => {
      const scale = extension.library.millimetresPerPixel(pixels, trial.disc);
      await extension.setScale(scale);
      end(scale, pixels);
    };
    extension.ready.then(
      () => {
        const video = cameraVideo(extension.stream);
        if (!video) return end(null, null, 'The calibration needs a camera.');
        show(display, trial.prompt, video, { apply, skip: () => end(null, null) });
      },
      (error: unknown) => end(null, null, messageOf(error)),
    );
    onLoad?.();
  }

  simulate(trial: Given<typeof info>, _mode: string, options: { data?: object }, onLoad?: () => void): void {
    const data = { millimetres_per_pixel: trial.disc / 200, disc_px: 200, disc_mm: trial.disc, error: null };
    extensionOf(this.#jsPsych)
      .setScale(data.millimetres_per_pixel)
      .then(
        () => simulateTrial(this.#jsPsych, data, options, onLoad),
        (error: unknown) => simulateTrial(this.#jsPsych, { ...data, error: messageOf(error) }, options, onLoad),
      );
  }
}

interface Actions {
  apply: (pixels: number) => Promise<void>;
  skip: () => void;
}

function show(display: HTMLElement, prompt: string, video: HTMLVideoElement, { apply, skip }: Actions): void {
  const [take, use, pass] = [button('Take picture'), button('Use'), button('Skip')];
  const pixels = element('input', { type: 'number', min: '1', step: '0.5' });
  const label = element('label', {}, 'Diameter of the disc in pixels ', pixels);
  const canvas = element('canvas');
  const status = element('p', { role: 'status' });
  canvas.style.maxWidth = '100%';
  take.addEventListener('click', () => {
    [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
    drawLine(canvas, video, (length) => (pixels.value = length.toFixed(1)));
    video.replaceWith(canvas);
    take.replaceWith(label, use);
  });
  use.addEventListener('click', () => {
    apply(pixels.valueAsNumber).catch((error: unknown) => (status.textContent = messageOf(error)));
  });
  pass.addEventListener('click', skip);
  display.replaceChildren(element('p', {}, prompt), video, element('p', {}, take, ' ', pass), status);
}

/** Draws the still image, and a line that follows the pointer. Calls back with its length in pixels of the image. */
function drawLine(canvas: HTMLCanvasElement, image: HTMLVideoElement, onLine: (length: number) => void): void {
  const context = canvas.getContext('2d')!;
  context.drawImage(image, 0, 0);
  const still = context.getImageData(0, 0, canvas.width, canvas.height);
  const pointOf = ({ offsetX, offsetY }: PointerEvent) => {
    const scale = canvas.width / canvas.clientWidth;
    return { x: offsetX * scale, y: offsetY * scale };
  };
  let from: { x: number; y: number } | null = null;
  canvas.style.touchAction = 'none';
  canvas.addEventListener('pointerdown', (event) => {
    from = pointOf(event);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!from) return;
    const to = pointOf(event);
    context.putImageData(still, 0, 0);
    context.strokeStyle = '#0f0';
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.stroke();
    onLine(Math.hypot(to.x - from.x, to.y - from.y));
  });
  canvas.addEventListener('pointerup', () => (from = null));
}
