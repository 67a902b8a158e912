/** The first step of the filling against the golden figures: reference, WASM and GPU. */
import { expect } from 'chai';
import '../../src/inpaint/index.ts';
import { DATA_UNIT } from '../../src/inpaint/picture.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { stages, type Backend } from '../../src/runtime/stage.ts';
import { makeRuntime, onSide } from '../parity/backends.ts';
import type { ReferenceImage } from '../reference/image.ts';
import { inpaintMatch, inpaintTerms, nextCenter, picture } from '../reference/inpaint.ts';

interface Case {
  id: string;
  params: { patch: number };
  tolerance: { maxAbs: number };
  /** RGB. */
  image: { width: number; height: number; data: Uint8Array };
  mask: { width: number; height: number; data: Uint8Array };
  front: number[][];
  chosen: { x: number; y: number; priority: number };
  match: { x: number; y: number; ssd: number };
}

interface Packed {
  width: number;
  height: number;
  data: string;
}

async function inflated({ width, height, data }: Packed): Promise<Case['image']> {
  const stream = new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))])
    .stream()
    .pipeThrough(new DecompressionStream('deflate'));
  return { width, height, data: new Uint8Array(await new Response(stream).arrayBuffer()) };
}

async function ownCases(): Promise<Case[]> {
  const at = new URL('../golden/inpaint/first-step.json', import.meta.url);
  const cases = (await (await fetch(at)).json()) as (Omit<Case, 'image' | 'mask'> & { image: Packed; mask: Packed })[];
  return Promise.all(cases.map(async (c) => ({ ...c, image: await inflated(c.image), mask: await inflated(c.mask) })));
}

const cases = await ownCases();

const inputs = ({ image, mask }: Case): ReferenceImage[] => [
  {
    ...image,
    format: 'rgba8',
    data: Uint8Array.from({ length: (image.data.length / 3) * 4 }, (_, i) =>
      i % 4 === 3 ? 255 : image.data[3 * (i >> 2) + (i % 4)]!,
    ),
  },
  { ...mask, format: 'u8', data: mask.data },
];

function expectTerms(c: Case, [confidence, data]: readonly ReferenceImage[]): void {
  const { maxAbs } = c.tolerance;
  expect([...confidence!.data].filter((v) => v > 0).length).to.equal(c.front.length);
  for (const [x, y, expectedConfidence, expectedData] of c.front as [number, number, number, number][]) {
    const i = y * c.image.width + x;
    expect(confidence!.data[i]! / 2 ** 31, `confidence at (${x}, ${y})`).to.be.closeTo(expectedConfidence, maxAbs);
    expect(data!.data[i]! / DATA_UNIT, `data at (${x}, ${y})`).to.be.closeTo(expectedData, maxAbs);
  }
}

describe('the first step of inpainting', () => {
  let runtime: Runtime;
  before(async () => (runtime = await makeRuntime()));
  after(() => runtime.dispose());

  async function onBoth(name: string, c: Case, params: object): Promise<[Backend, ReferenceImage[]][]> {
    const answers: [Backend, ReferenceImage[]][] = [];
    for (const backend of ['wasm', 'gpu'] as const) {
      const answer = await onSide(runtime, backend, stages.get(name)!, inputs(c), params as never);
      if ('error' in answer) throw new Error(`${backend}: ${answer.error.message}`);
      answers.push([backend, answer.value as ReferenceImage[]]);
    }
    return answers;
  }

  it('has cases', () => expect(cases.length).to.equal(5));

  for (const c of cases)
    describe(c.id, () => {
      const { patch } = c.params;

      it('has the front and the terms of the golden', async () => {
        expectTerms(c, inpaintTerms(inputs(c), { patch }));
        for (const [, answer] of await onBoth('inpaint/terms', c, { patch })) expectTerms(c, answer);
      });

      it('chooses and matches as the golden', async () => {
        const [image, mask] = inputs(c);
        const { width } = c.image;
        const { x, y } = c.chosen;
        const center = nextCenter(picture(image!, mask!.data), patch);
        expect([center % width, Math.floor(center / width)]).to.deep.equal([x, y]);
        const expected = [c.match.x, c.match.y, c.match.ssd];
        // The stage's center is limited to 66; the photographs' first patches lie further in some cases.
        expect([...inpaintMatch([image!, mask!], { patch, x, y, near: false })[0]!.data]).to.deep.equal(expected);
        if (x > 66 || y > 66) return;
        for (const [backend, [answer]] of await onBoth('inpaint/match', c, { patch, x, y, near: false }))
          expect([...answer!.data], backend).to.deep.equal(expected);
      });
    });
});
