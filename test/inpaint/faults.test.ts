/** Bad input, the edge cases, and cancelling in mid-fill. */
import { expect } from 'chai';
import type { Engine } from '../../src/api.ts';
import { createEngine } from '../../src/engine.ts';
import { FoveolaError } from '../../src/runtime/error.ts';
import { picture, rectangle } from './pictures.ts';

const full = (width: number, height: number) => rectangle(width, height, 0, 0, width, height);

async function failure(call: Promise<unknown>): Promise<FoveolaError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(FoveolaError);
  return error as FoveolaError;
}

for (const [backend, worker] of [
  ['wasm', true],
  ['wasm', false],
  ['gpu', true],
] as const)
  describe(`inpainting with bad input, ${backend}, ${worker ? 'worker' : 'page'}`, () => {
    let engine: Engine;
    before(async () => (engine = await createEngine({ backend, worker })));
    after(() => engine.dispose());
    const image = picture(40, 30, 'waves', 1);
    const mask = rectangle(40, 30, 15, 10, 10, 8);
    const works = async () => {
      const filled = await engine.inpaint(image, mask);
      expect([filled.width, filled.height]).to.deep.equal([40, 30]);
      expect(filled).to.be.instanceOf(ImageData);
    };

    it('gives the image back for an empty mask, whatever its size', async () => {
      for (const [width, height] of [
        [40, 30],
        [1, 1],
        [5, 1],
      ] as const) {
        const small = picture(width, height, 'noise', 2);
        const filled = await engine.inpaint(small, rectangle(width, height, 0, 0, 0, 0));
        expect([...filled.data]).to.deep.equal([...small.data]);
      }
    });

    it('leaves what is outside the mask untouched, alpha included', async () => {
      const filled = await engine.inpaint(image, mask);
      for (let i = 0; i < filled.data.length; i++)
        if (!mask.data[i >> 2]) expect(filled.data[i]).to.equal(image.data[i]);
    });

    it('says what to change', async () => {
      for (const [call, words] of [
        [() => engine.inpaint(image, full(40, 30)), /covers the whole image.*unmasked/],
        [() => engine.inpaint(image, full(30, 40)), /mask is 30x40, the image 40x30\. Scale/],
        [() => engine.inpaint(picture(8, 30, 'noise', 1), rectangle(8, 30, 2, 2, 2, 2)), /Set patch to at most 7/],
        [() => engine.inpaint(picture(1, 30, 'noise', 1), rectangle(1, 30, 0, 4, 1, 2)), /3 pixels or more/],
        [() => engine.inpaint(image, rectangle(40, 30, 4, 4, 32, 22)), /no 9x9 patch.*smaller patch/],
        [() => engine.inpaint(image, mask, { patch: 8 }), /patch must be one of 3, 5/],
        [() => engine.inpaint(image, mask, { searchWindow: -1 }), /searchWindow must be from 0/],
        [() => engine.inpaint(image, mask, { variant: 'x' as never }), /variant must be one of/],
        [() => engine.inpaint(image, undefined as never), /source must be/],
      ] as const) {
        const error = await failure(call());
        expect(error.code).to.equal('invalid-argument');
        expect(error.message).to.match(words);
        await works();
      }
    });

    it('takes a patch that fits where the larger one did not', async () => {
      const small = picture(8, 30, 'tiles', 1);
      await engine.inpaint(small, rectangle(8, 30, 2, 2, 2, 2), { patch: 7 });
      const frame = picture(20, 16, 'waves', 1); // no 9x9 patch of it is known as a whole
      await engine.inpaint(frame, rectangle(20, 16, 4, 4, 12, 8), { patch: 3 });
    });

    it('keeps what was filled when it is cancelled, and goes on', async () => {
      const large = picture(220, 200, 'noise', 9);
      const hole = rectangle(220, 200, 30, 30, 150, 130);
      const controller = new AbortController();
      let at = 0;
      const error = await failure(
        engine.inpaint(large, hole, {
          signal: controller.signal,
          onProgress: (done) => {
            at = done;
            if (done > 0) controller.abort();
          },
        }),
      );
      expect(error.code).to.equal('aborted');
      expect(at).to.be.above(0);
      if (backend === 'gpu') return; // a batch on a software GPU may take longer than the page waits
      const partial = error.partial as ImageData;
      expect(partial).to.be.instanceOf(ImageData);
      expect([partial.width, partial.height]).to.deep.equal([220, 200]);
      let filled = 0;
      for (let i = 0; i < hole.data.length; i++) {
        const same = [0, 1, 2, 3].every((c) => partial.data[4 * i + c] === large.data[4 * i + c]);
        if (!hole.data[i]) expect(same).to.equal(true);
        else if (!same) filled++;
      }
      expect(filled).to.be.within(1, 150 * 130 - 1);
      await works();
    });

    it('does nothing when it was cancelled before', async () => {
      const error = await failure(engine.inpaint(image, mask, { signal: AbortSignal.abort() }));
      expect(error.code).to.equal('aborted');
      await works();
    });
  });
