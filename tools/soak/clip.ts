/**
 * The beginning of the demo's recording as a recording of its own. An element remembers what it has seen of each frame: of a
 * short one all are known within a minute, and what still grows then does not belong to them.
 */
import type * as Library from '../../src/index.ts';
import { makeClip, steady } from '../../test/support/clips.ts';

const FRAMES = 45;
const RATE = 30;

/** As a data URL. */
export async function shortClip(address: string): Promise<string> {
  const { frames } = (self as unknown as { foveola: typeof Library }).foveola;
  const pictures: VideoFrame[] = [];
  const file = await (await fetch(address)).blob();
  for await (const { frame } of frames(file, { everyFrame: true })) {
    pictures.push((frame as VideoFrame).clone()); // its own is closed with the next one
    if (pictures.length === FRAMES) break;
  }
  const { displayWidth: width, displayHeight: height } = pictures[0]!;
  const draw = (context: OffscreenCanvasRenderingContext2D, index: number) => context.drawImage(pictures[index]!, 0, 0);
  const clip = await makeClip({ times: steady(FRAMES, RATE), width, height, draw });
  for (const picture of pictures) picture.close();
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.readAsDataURL(clip);
  });
}
