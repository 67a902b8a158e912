/** What a recording says of the side that computed it. */
import { expect } from 'chai';
import type { Capabilities, FrameTiming } from '../../src/index.ts';
import type { Feed } from '../../widget/base/feed.ts';
import { Recorder } from '../../widget/tools/recorder.ts';
import { fakeCapabilities } from './fake-engine.ts';

describe('a recording', () => {
  const timing = (frame: number): FrameTiming => ({
    ...{ frame, timestamp: frame, clock: 'media', mediaTime: frame, dropped: 0, throttled: 0 },
  });
  const feed = { name: 'eye.mp4', kind: 'file', width: 4, height: 3 } as unknown as Feed;
  const backendOf = async (sides: ('gpu' | 'wasm' | 'both' | undefined)[]): Promise<string> => {
    const recorder = new Recorder();
    const gpu: Capabilities = { ...fakeCapabilities, backend: 'gpu' };
    recorder.start([{ name: 'frame', type: 'number' }], { feed, parameters: {}, capabilities: gpu, clock: '' });
    sides.forEach((backend, i) => recorder.add([[i]], timing(i), '', backend));
    return (JSON.parse(await recorder.text('json', {})) as { backend: string }).backend;
  };

  it('names the side of its results, not what the engine prefers', async () => {
    expect(await backendOf(['wasm', 'wasm'])).to.equal('wasm');
    expect(await backendOf(['gpu', 'wasm', 'gpu'])).to.equal('both');
    expect(await backendOf(['both', 'wasm'])).to.equal('both');
    expect(await backendOf([undefined]), 'results that do not say').to.equal('gpu');
  });
});
