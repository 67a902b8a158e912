import { expect } from 'chai';
import { record } from '../../src/index.ts';

/** A camera that sees an eye, drawn 30 times per second. Its pupil has a diameter of 60 px. */
function drawnEye(): { stream: MediaStream; end(): void } {
  const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 240 });
  const context = canvas.getContext('2d')!;
  const draw = () => {
    context.fillStyle = '#c9a58c';
    context.fillRect(0, 0, 320, 240);
    for (const [color, radius] of [['#eee', 110], ['#7a8a6a', 75], ['#080808', 30]] as const) {
      context.fillStyle = color;
      context.beginPath();
      context.arc(160, 120, radius, 0, 2 * Math.PI);
      context.fill();
    }
  }; // prettier-ignore
  const timer = setInterval(draw, 33);
  const stream = canvas.captureStream();
  return {
    stream,
    end() {
      clearInterval(timer);
      for (const track of stream.getTracks()) track.stop();
    },
  };
}

describe('record', () => {
  it('has the diameter between markers, and a table at the end', async () => {
    const { stream, end } = drawnEye();
    let results = 0;
    const recorder = record(stream, { tracker: { millimetresPerPixel: 0.1 }, onResult: () => results++ });
    await recorder.start();
    const { timestamp } = recorder.mark('trial');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const measures = await recorder.measure(timestamp);
    const { recording, header, markers } = await recorder.stop();
    expect(stream.active).to.equal(true);
    end();
    expect(measures).to.include({ unit: 'mm', blinks: 0, found: 1, complete: true });
    expect(measures.diameter).to.be.closeTo(6, 0.3);
    expect(measures.frames).to.be.above(0);
    expect(recording.length).to.equal(results).and.equal(header.frames);
    expect(header.source).to.include({ kind: 'camera', width: 320, height: 240 });
    expect(header.parameters).to.include({ method: 'robust', millimetresPerPixel: 0.1 });
    expect(markers).to.deep.equal([{ label: 'trial', timestamp }]);
    expect(recorder.error).to.equal(null);
  });

  it('starts once, and ends with the stream', async () => {
    const { stream, end } = drawnEye();
    const recorder = record(stream);
    await recorder.start();
    const again = await recorder.start().catch(({ code }) => code);
    expect(again).to.equal('invalid-argument');
    end();
    const after = await recorder.measure(performance.now() + 1e6, Infinity);
    expect(after).to.include({ diameter: null, frames: 0, found: null, complete: false });
    expect((await recorder.stop()).recording.length).to.be.above(0);
  });

  it('reports wrong options at the start', async () => {
    const { stream, end } = drawnEye();
    const code = await record(stream, { tracker: { rays: -1 } }).start().catch((error) => error.code); // prettier-ignore
    end();
    expect(code).to.equal('invalid-argument');
  });
});
