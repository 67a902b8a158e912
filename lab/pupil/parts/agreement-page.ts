/** In a page with a built `<foveola-pupil controls paused>`: renders a recording with blinks, analyzes and compares it. */
import type { FoveolaPupil } from '../../../widget/pupil/pupil.ts';
import { blinkAgreement, isDrawn } from '../../../test/support/blink-agreement.ts';
import { makeClip, steady } from '../../../test/support/clips.ts';
import { blinkClip } from '../../eyes/blink-clips.ts';

async function until(what: string, done: () => unknown): Promise<void> {
  for (const end = performance.now() + 60_000; !done();) {
    if (performance.now() > end) throw new Error(`waited too long: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function painter(frames: readonly Uint8Array[], width: number, height: number) {
  const pixels = new ImageData(width, height);
  pixels.data.fill(255);
  return (context: OffscreenCanvasRenderingContext2D, index: number) => {
    frames[index]!.forEach((gray, i) => pixels.data.fill(gray, 4 * i, 4 * i + 3));
    context.putImageData(pixels, 0, 0);
  };
}

/** `rendered`: number of blinks and closures in the recording. `listed`: in the list of events. */
export async function agreement(index: number): Promise<{ rendered: number; listed: number; faults: string[] }> {
  const { width, height, rate, frames, blinks: rendered } = blinkClip(index);
  const times = steady(frames.length, rate);
  const clip = await makeClip({ times, width, height, draw: painter(frames, width, height) });
  const element = document.querySelector('foveola-pupil') as FoveolaPupil;
  element.paused = true;
  element.source = clip;
  await element.updateComplete; // it loads
  await until('it is open', () => element.state === 'paused');
  const { complete, frames: analysed } = await element.analyse();
  if (!complete || analysed !== frames.length) throw new Error(`${analysed} of ${frames.length} frames were analyzed`);
  await until('all is shown', () => isDrawn(element));
  await new Promise((resolve) => setTimeout(resolve, 300)); // the readout is written five times per second
  const { faults, events } = await blinkAgreement(element);
  return { rendered, listed: events.filter(({ kind }) => kind !== 'loss').length, faults };
}
