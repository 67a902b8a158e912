/** How the frames of a recording are shown: which of them, when, and which way up. */
import { type Orientation, isSideways } from './as-shown.ts';
import { type Edit, presentedTimes } from './edit-list.ts';
import { checkDecoded } from './size.ts';

export interface Presentation {
  readonly edits: readonly Edit[];
  readonly orientation: Orientation;
}

/** Decoded frames as they are shown. Whoever receives one closes it. Throws as `presentedTimes` does. */
export async function* presented(
  frames: AsyncIterable<VideoFrame>,
  { edits, orientation }: Presentation,
): AsyncGenerator<VideoFrame, void> {
  const timeOf = presentedTimes(edits);
  for await (const frame of frames) {
    const time = timeOf(frame.timestamp / 1e6);
    if (time === null) frame.close();
    else yield asShown(frame, Math.round(time * 1e6), orientation);
  }
}

/** The frame is closed where another one takes its place. */
function asShown(frame: VideoFrame, timestamp: number, orientation: Orientation): VideoFrame {
  const { rotation, flip } = orientation;
  const plain = rotation === 0 && !flip;
  if (plain && timestamp === frame.timestamp) return frame;
  try {
    const init: VideoFrameInit & Orientation = { timestamp, ...orientation };
    const made = new VideoFrame(frame, init) as VideoFrame & Partial<Orientation>;
    if (plain || (made.rotation === rotation && made.flip === flip)) return made;
    made.close();
    return drawn(frame, timestamp, orientation);
  } finally {
    frame.close();
  }
}

/** For browsers whose frames know no rotation. */
function drawn(frame: VideoFrame, timestamp: number, orientation: Orientation): VideoFrame {
  const { displayWidth: width, displayHeight: height } = frame;
  const canvas = isSideways(orientation) ? new OffscreenCanvas(height, width) : new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  context.translate(canvas.width / 2, canvas.height / 2);
  if (orientation.flip) context.scale(-1, 1);
  context.rotate((orientation.rotation * Math.PI) / 180);
  context.drawImage(frame, -width / 2, -height / 2);
  return new VideoFrame(canvas, { timestamp });
}

/** To be asked of each frame before its samples are copied. Throws 'image-too-large'. */
export function checkFrame({ codedWidth, codedHeight, displayWidth, displayHeight }: VideoFrame): void {
  checkDecoded(codedWidth, codedHeight);
  checkDecoded(displayWidth, displayHeight);
}
