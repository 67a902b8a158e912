/** Faces in an exported video: what hides them leaves nothing of them, covers the head, and stays while a tracker has lost them. */
import { expect } from 'chai';
import { frames } from '../../src/index.ts';
import '../../widget/elements.ts';
import { setEngineProvider } from '../../widget/base/engine.ts';
import { FaceAreas, type FoundFace, headOf, cellsOf, hideArea, hidings } from '../../widget/tools/player/hide-area.ts';
import { makeClip, steady } from '../support/clips.ts';
import { fakeForAll } from './fake-elements.ts';
import { menuItems } from './element-state.ts';

const face = (more: Partial<FoundFace> = {}): FoundFace => ({
  ...{ id: 1, x: 100, y: 80, width: 60, height: 60, landmarks: null },
  ...more,
});

type Rectangle = { x: number; y: number; width: number; height: number };

/** Standard deviation of the red values of a rectangle, `within` pixels from its border. */
function spread({ data, width }: ImageData, { x, y, width: w, height: h }: Rectangle, within = 0): number {
  let [n, sum, squares] = [0, 0, 0];
  for (let row = y + within; row < y + h - within; row++)
    for (let column = x + within; column < x + w - within; column++) {
      const value = data[4 * (row * width + column)]!;
      [n, sum, squares] = [n + 1, sum + value, squares + value * value];
    }
  return Math.sqrt(Math.max(0, squares / n - (sum / n) ** 2));
}

/** Noise whose mean is the same everywhere; the seed chooses it. */
function noise(width: number, height: number, seed = 1): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(width, height).getContext('2d')!;
  const picture = new ImageData(width, height);
  let state = seed;
  picture.data.forEach((_, i) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    picture.data[i] = i % 4 === 3 ? 255 : state >>> 24;
  });
  context.putImageData(picture, 0, 0);
  return context;
}
const pixels = (context: OffscreenCanvasRenderingContext2D) =>
  context.getImageData(0, 0, context.canvas.width, context.canvas.height);

describe('a hidden area', () => {
  const places: Record<string, Rectangle> = {
    'in the middle of a picture': { x: 60.4, y: 30.7, width: 90.5, height: 110.2 },
    'that is small': { x: 40, y: 40, width: 14, height: 17 },
    'over a corner': { x: -30, y: -25, width: 80, height: 96 },
    'larger than the picture': { x: -50, y: -50, width: 500, height: 400 },
  };
  for (const [where, area] of Object.entries(places))
    for (const how of hidings)
      it(`${where} has no detail left: ${how}`, () => {
        const context = noise(240, 180);
        const before = pixels(context).data.slice();
        hideArea(context, area, how);
        const after = pixels(context);
        const cells = cellsOf(area, 240, 180);
        expect(cells).to.not.be.empty;
        // Means of noise differ little, so also what is smooth is nearly flat.
        for (const cell of cells) expect(spread(after, cell)).to.be.at.most(how === 'blur' ? 15 : 0);
        const inside = (x: number, y: number) =>
          cells.some((cell) => x >= cell.x && x < cell.x + cell.width && y >= cell.y && y < cell.y + cell.height);
        for (let y = 0; y < 180; y++)
          for (let x = 0; x < 240; x++) {
            const [u, v] = [(2 * (x + 0.5 - area.x)) / area.width - 1, (2 * (y + 0.5 - area.y)) / area.height - 1];
            if (u * u + v * v <= 1) expect(inside(x, y), `${x}, ${y}`).to.equal(true);
            else if (!inside(x, y)) expect(after.data[4 * (y * 240 + x)]).to.equal(before[4 * (y * 240 + x)]);
          }
      });

  it('has few cells, however large it is', () => {
    for (const width of [20, 80, 640]) {
      const cells = cellsOf({ x: 10, y: 10, width, height: 1.2 * width }, 1000, 1000);
      expect(new Set(cells.map(({ column }) => column)).size).to.be.at.most(9);
      for (const cell of cells) expect(cell.width).to.be.at.least(Math.floor(width / 9));
    }
  });

  it('tells the same of two pictures whose cells have the same means', () => {
    for (const how of hidings) {
      const area = { x: 20, y: 20, width: 100, height: 100 };
      const [first] = [...noise(8, 8).getImageData(0, 0, 8, 8).data];
      const turned = [0, 1].map((half) => {
        const context = new OffscreenCanvas(140, 140).getContext('2d')!;
        context.fillStyle = `rgb(${first! >> 1} 90 60)`;
        context.fillRect(0, 0, 140, 140);
        context.fillStyle = '#fff';
        for (const { x, y, width, height } of cellsOf(area, 140, 140))
          context.fillRect(half ? x + width - 5 : x, half ? y + height - 5 : y, 5, 5);
        hideArea(context, area, how);
        return [...cellsOf(area, 140, 140)].map(({ x, y, width, height }) => [
          ...context.getImageData(x, y, width, height).data,
        ]);
      });
      expect(turned[0]).to.deep.equal(turned[1]);
    }
  });

  it('outside the picture changes nothing', () => {
    const context = noise(50, 50);
    const before = pixels(context).data;
    hideArea(context, { x: 60, y: 0, width: 40, height: 40 }, 'pixelate');
    hideArea(context, { x: NaN, y: 0, width: 40, height: 40 }, 'pixelate');
    expect(pixels(context).data).to.deep.equal(before);
  });
});

describe('where heads are', () => {
  it('is more than the box, and all of the points', () => {
    const head = headOf(face());
    expect(head.x).to.be.below(85);
    expect(head.y).to.be.below(50);
    expect(head.x + head.width).to.be.above(175);
    expect(head.y + head.height).to.be.above(155);
    const wide = headOf(face({ landmarks: Float32Array.of(20, 100, 230, 250, NaN, NaN) }));
    expect([wide.x, wide.x + wide.width, wide.y + wide.height]).to.deep.equal([20, 230, 250]);
  });

  it('is kept for a second before a face is found and after it is lost, and no longer', () => {
    const areas = new FaceAreas();
    for (let i = 0; i < 100; i++) areas.add(i * 100, i >= 20 && i < 40 && i !== 30 ? [face({ x: i })] : []);
    const found = (mediaTime: number) => areas.at(mediaTime).map(({ x }) => Math.round(x + 0.35 * 60));
    expect([0, 900, 1000, 1500].map(found)).to.deep.equal([[], [], [20], [20]]);
    expect(found(2500)).to.deep.equal([25]); // once, as it is there
    expect(found(3000)[0]).to.be.oneOf([29, 31]);
    expect([4500, 4900, 5000].map(found)).to.deep.equal([[39], [39], []]);
  });
});

describe('an exported video', () => {
  const [width, height] = [160, 120];
  /** The stand-in for the engine finds what is dark; bright there is a face that it has lost. */
  const lost = (index: number) => index < 2 || (index >= 5 && index < 8);
  const middle = (index: number) => ({ x: 50 + 2 * index, y: 62 });
  const draw = (context: OffscreenCanvasRenderingContext2D, index: number) => {
    for (let y = 0; y < height; y += 4)
      for (let x = 0; x < width; x += 4) {
        const { x: x0, y: y0 } = middle(index);
        const dark = Math.hypot(x + 2 - x0, y + 2 - y0) < 10 && !lost(index);
        const odd = (x + y) % 8 === 0;
        context.fillStyle = dark ? (odd ? '#404040' : '#101010') : odd ? '#f0f0f0' : '#606060';
        context.fillRect(x, y, 4, 4);
      }
  };
  type Exporting = HTMLElement & {
    exportVideo(options?: object): Promise<Blob>;
    analyse(): Promise<unknown>;
    hideFaces: boolean;
    renderRoot: ShadowRoot;
  };
  let element: Exporting;
  let restore: Parameters<typeof setEngineProvider>[0];
  beforeEach(() => (restore = setEngineProvider(fakeForAll().provider)));
  afterEach(() => {
    element.remove();
    setEngineProvider(restore);
  });
  const open = async (name: string, source: File) => {
    element = document.createElement(`foveola-${name}`) as Exporting;
    const came = new Promise((resolve) => element.addEventListener('foveola-result', resolve, { once: true }));
    Object.assign(element, { controls: true, paused: true, mirror: true, source });
    document.body.append(element);
    await came;
  };
  const picturesOf = async (video: Blob) => {
    const pictures: ImageData[] = [];
    for await (const { frame } of frames(video, { everyFrame: true })) {
      const context = new OffscreenCanvas(640, 480).getContext('2d', { willReadFrequently: true })!;
      context.drawImage(frame as VideoFrame, 0, 0);
      pictures.push(context.getImageData(0, 0, 640, 480));
    }
    return pictures;
  };

  it('hides the face in each of its frames, also where it was not found, and nothing else', async () => {
    const clip = await makeClip({ times: steady(10, 10), width, height, draw });
    await open('face', clip);
    const found: FoundFace[][] = [];
    const keep = (event: Event) => found.push((event as CustomEvent<{ faces: FoundFace[] }>).detail.faces);
    element.addEventListener('foveola-result', keep);
    await element.analyse();
    element.removeEventListener('foveola-result', keep);
    expect(found.map(({ length }) => length)).to.deep.equal([0, 0, 1, 1, 1, 0, 0, 0, 1, 1]);

    const shown = await picturesOf(await element.exportVideo());
    const hidden = await picturesOf(await element.exportVideo({ hideFaces: 'pixelate' }));
    expect([shown.length, hidden.length]).to.deep.equal([10, 10]);
    const nearest = [2, 2, 2, 3, 4, 4, 4, 8, 8, 9]; // of 6, the one before is as near
    for (const [i, picture] of hidden.entries()) {
      const head = headOf(found[nearest[i]!]![0]!);
      const area = { x: 4 * (head.x + 0.5), y: 4 * (head.y + 0.5), width: 4 * head.width, height: 4 * head.height };
      area.x = 640 - area.x - area.width; // mirrored
      let detail = 0;
      for (const cell of cellsOf(area, 640, 480)) {
        // Codecs soften edges.
        expect(spread(picture, cell, 3), `${i}: ${JSON.stringify(cell)}`).to.be.below(4);
        detail = Math.max(detail, spread(shown[i]!, cell, 3));
      }
      expect(detail, `shown ${i}`).to.be.above(20);
      let [off, n] = [0, 0];
      for (let row = 0; row < 480; row += 3)
        for (let column = 0; column < 640; column += 3) {
          const apart = column < area.x - 24 || column > area.x + area.width + 24;
          if (!apart && row > area.y - 24 && row < area.y + area.height + 24) continue;
          const at = 4 * (row * 640 + column);
          off += Math.abs(picture.data[at]! - shown[i]!.data[at]!);
          n++;
        }
      expect(off / n, `outside, ${i}`).to.be.below(3);
    }
  });

  it('is offered in the export menu, and only for faces', async () => {
    const clip = await makeClip({ times: steady(4, 10), width, height, draw: (context) => draw(context, 3) });
    await open('face', clip);
    const offered = async () =>
      (await menuItems(element as never, 'exports'))
        .map((item) => item.textContent.trim())
        .filter((word) => /^Video/.test(word));
    const end = performance.now() + 20_000;
    while (!(await offered()).length && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await offered()).to.deep.equal([
      'Video with overlay, faces shown',
      'Video with overlay, faces pixelated',
      'Video with overlay, faces blurred',
      'Video with overlay, faces covered',
    ]);
    const refused = (options: object) => element.exportVideo(options).catch(({ code }: { code: string }) => code);
    expect(await refused({ hideFaces: 'mosaic' })).to.equal('invalid-argument');
    element.remove();
    await open('pupil', clip);
    expect(await refused({ hideFaces: 'blur' })).to.equal('invalid-argument');
    expect(await offered()).to.not.include('Video with overlay, faces shown');
  });
});
