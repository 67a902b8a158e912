import { expect } from 'chai';
import { SAMPLE, sampleFrame } from '../../lab/eyes/index.ts';

const media = new URL('../../demo/media/', import.meta.url);

interface TruthFile {
  width: number;
  height: number;
  rate: number;
  frames: number[][];
}

async function frameAt(video: HTMLVideoElement, index: number): Promise<Uint8ClampedArray> {
  const seeked = new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }));
  // On a busy machine the picture follows the event.
  const presented = new Promise((resolve) => {
    video.requestVideoFrameCallback(resolve);
    setTimeout(resolve, 2000);
  });
  video.currentTime = (index + 0.5) / SAMPLE.rate;
  await Promise.all([seeked, presented]);
  const canvas = new OffscreenCanvas(SAMPLE.width, SAMPLE.height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no 2D context');
  context.drawImage(video, 0, 0);
  return context.getImageData(0, 0, SAMPLE.width, SAMPLE.height).data;
}

describe('sample clip', function () {
  this.timeout(60000);

  it('lists the truth of every frame, with a dilation, saccades and two blinks', async () => {
    const truth = (await (await fetch(new URL('sample.truth.json', media))).json()) as TruthFile;
    expect(truth.frames.length).to.equal(SAMPLE.frames);
    expect([truth.width, truth.height, truth.rate]).to.deep.equal([640, 480, 60]);
    let blinks = 0;
    let fastest = 0;
    truth.frames.forEach((row, i) => {
      if (i === 0) return;
      const before = truth.frames[i - 1];
      if (row[6] === 2 && before[6] !== 2) blinks++;
      fastest = Math.max(fastest, Math.hypot(row[0] - before[0], row[1] - before[1]));
    });
    const majors = truth.frames.map((row) => row[2]);
    expect(blinks).to.equal(2);
    expect(fastest).to.be.above(10);
    expect(Math.max(...majors) / Math.min(...majors)).to.be.above(1.5);
    const { ellipse } = sampleFrame(200).truth;
    expect(truth.frames[200][0]).to.be.closeTo(ellipse?.x ?? 0, 0.006);
    expect(truth.frames[200][2]).to.be.closeTo(ellipse?.major ?? 0, 0.006);
  });

  it('decodes to the rendered frames, levels included', async () => {
    const bytes = await (await fetch(new URL('sample.webm', media))).blob();
    expect(bytes.size).to.be.below(2e6);
    const video = document.createElement('video');
    video.muted = true;
    const loaded = new Promise((resolve, reject) => {
      video.addEventListener('loadeddata', resolve, { once: true });
      video.addEventListener('error', () => reject(new Error(video.error?.message)), { once: true });
    });
    video.src = URL.createObjectURL(bytes);
    await loaded;
    expect([video.videoWidth, video.videoHeight]).to.deep.equal([640, 480]);
    expect(video.duration).to.be.closeTo(8, 0.05);
    for (const index of [0, 62, 200, 470]) {
      const shown = await frameAt(video, index);
      const { data } = sampleFrame(index);
      let difference = 0;
      let offset = 0;
      for (let i = 0; i < data.length; i++) {
        difference += Math.abs(shown[4 * i] - data[i]);
        offset += shown[4 * i] - data[i];
      }
      expect(difference / data.length, `frame ${index}`).to.be.below(3);
      expect(Math.abs(offset / data.length), `frame ${index}`).to.be.below(0.7);
    }
    URL.revokeObjectURL(video.src);
    video.removeAttribute('src');
  });
});
