// Full run only: further states of an element, some seconds each.
// Own page: it is one of the longest, and starts first.
/** The five elements on devices that lack something: each answers a recording and a picture, or says what it lacks. */
import { expect } from 'chai';
import { createEngine } from '../../src/engine.ts';
import type { Face, FoveolaError, Source } from '../../src/index.ts';
import { engineSharing } from '../../src/runtime/engine/start.ts';
import { setEngineProvider, type HeldEngine } from '../../widget/base/engine.ts';
import type { FoveolaElement } from '../../widget/base/foveola-element.ts';
import '../../widget/elements.ts';
import '../runtime/engine-dummies.ts';
import { makeClip, steady } from '../support/clips.ts';
import { makePictures, unlike, type Pictures } from '../support/every-call.ts';
import { full } from '../support/full.ts';
import { lacks } from '../support/lacking-devices.ts';

type Any = FoveolaElement<{ timestamp: number; dropped: number; milliseconds?: number }>;
type Device = keyof typeof lacks | 'nothing';
type Backend = 'gpu' | 'auto' | 'wasm';

type Shown = Record<'eye' | 'fundus' | 'face', ImageData>;
/** Wider than textures of 2048 hold. */
const WIDE = 2100;

/** The pictures, on a gray ground of this width. */
async function onGround({ eye, fundus, face }: Pictures, ground?: number): Promise<Shown> {
  const gray = new ImageData(eye.width, eye.height);
  eye.data.forEach((level, i) => gray.data.set([level, level, level, 255], 4 * i));
  const drawn = async (picture: ImageData | ImageBitmap) => {
    const { width, height } = picture;
    const context = new OffscreenCanvas(ground ?? width, height).getContext('2d')!;
    context.fillStyle = '#aaa';
    context.fillRect(0, 0, ground ?? width, height);
    context.drawImage(await createImageBitmap(picture), 0, 0);
    return context.getImageData(0, 0, ground ?? width, height);
  };
  return { eye: await drawn(gray), fundus: await drawn(fundus), face: await drawn(face) };
}

/** Of each element: what it is given besides a source, and which picture. */
const elements = {
  pupil: { of: ({ eye }: Shown) => eye },
  face: { of: ({ face }: Shown) => face, model: '/test/media/landmarks.bin' },
  track: { of: ({ eye }: Shown) => eye },
  vessels: { of: ({ fundus }: Shown) => fundus, maxFps: 60 },
  filter: { of: ({ eye }: Shown) => eye, operation: 'canny' },
} as const;
type Name = keyof typeof elements;
const names = Object.keys(elements) as Name[];

/** What elements say where there is no engine. */
const said: Partial<Record<Device, Partial<Record<Backend, [code: string, text: string]>>>> = {
  'no WebGL2': { gpu: ['no-webgl2', 'WebGL2'] },
  'no SIMD': { gpu: ['asset-missing', 'no WebAssembly SIMD'] },
};
/** `auto` takes WASM where graphics are drawn by software: what is lacking there is looked at where it decides. */
const cases: readonly [Device, Backend][] = [
  ...(Object.keys(lacks) as Device[]).map((device): [Device, Backend] => [device, 'gpu']),
  ['no float targets', 'auto'],
  ['no WebGL2', 'auto'],
];

describe('elements on a device', () => {
  let clip: File;
  let small: Shown;
  let wide: Shown;
  /** What each element makes of a picture where nothing is lacking. */
  const wanted = new Map<string, object>();
  let held: HeldEngine;
  let leave = () => {};
  before(async () => {
    const pictures = await makePictures();
    small = await onGround(pictures);
    wide = await onGround(pictures, WIDE);
    clip = await makeClip({ times: steady(12), width: 96, height: 72 });
    enter('nothing', 'wasm');
    for (const pictures of [small, wide])
      for (const name of names) wanted.set(`${name} ${pictures.eye.width}`, await shown(name, 'wasm', pictures));
    leave();
  });

  /** The device, and one engine for all elements on it, in a worker that lacks the same. */
  function enter(device: Device, backend: Backend): void {
    const giveBack = device === 'nothing' ? () => {} : lacks[device]();
    const workerUrl = `/test/runtime/lacking-worker.ts?${encodeURIComponent(device)}`;
    // Kernels that have been compiled are remembered by their folder.
    const assetBase = device === 'no SIMD' ? '/dist/' : undefined;
    const share = engineSharing((options) => createEngine({ ...options, workerUrl, threads: 1, assetBase }));
    const restore = setEngineProvider(share);
    held = share({ backend });
    held.engine.catch(() => {}); // the elements say so
    leave = () => {
      held.release();
      setEngineProvider(restore);
      giveBack();
    };
  }

  /** What an element shows of a recording and then of its picture: the result of the latter, or the first error. */
  async function shown(name: Name, backend: Backend, pictures = small): Promise<object> {
    const { of, ...more } = elements[name];
    const element = document.createElement(`foveola-${name}`) as unknown as Any;
    try {
      Object.assign(element, { ...more, backend, loop: true });
      const next = (source: Source | File) =>
        new Promise<object>((resolve, reject) => {
          // Faces have their landmarks when the model has come.
          const whole = ({ faces = [] }: { faces?: Face[] }) => faces.every(({ landmarks }) => landmarks !== null);
          element.addEventListener('foveola-result', (event) => {
            const { detail } = event as CustomEvent<object>;
            if (whole(detail)) resolve(detail);
          });
          element.addEventListener('foveola-error', (event) => reject((event as CustomEvent<FoveolaError>).detail));
          element.source = source;
          if (name === 'track') element.setAttribute('box', '30 22 28 28');
        });
      document.body.append(element);
      await next(clip);
      const result = await next(of(pictures));
      return { ...result, milliseconds: 0 };
    } finally {
      element.remove();
    }
  }

  for (const [device, backend] of cases)
    describe(`with ${device}, ${backend}`, () => {
      before(() => enter(device, backend));
      after(() => leave());
      const says = said[device]?.[backend];
      const pictures = () => (device === 'textures of 2048' ? wide : small);
      if (!says)
        it('has the side that is left', async () => {
          const { capabilities } = await held.engine;
          expect(capabilities.backend).to.equal(backend === 'gpu' ? 'gpu' : 'wasm');
          expect(capabilities.worker).to.equal(device !== 'no OffscreenCanvas');
        });
      for (const name of names)
        if (says)
          it(`says so in <foveola-${name}>`, async () => {
            const error = await shown(name, backend).then(
              () => null,
              (error: FoveolaError) => error,
            );
            expect(error?.code).to.equal(says[0]);
            expect(error?.message).to.include(says[1]);
          });
        else if (full || (names.indexOf(name) + cases.findIndex(([one]) => one === device)) % 3 === 0)
          it(`has the same results in <foveola-${name}>`, async () =>
            expect(
              unlike(await shown(name, backend, pictures()), wanted.get(`${name} ${pictures().eye.width}`)),
            ).to.equal(''));
    });
});
