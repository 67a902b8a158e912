import { expect } from 'chai';
import {
  durationOf,
  planOf,
  readProtocol,
  wordsIn,
  type FlashStep,
  type Protocol,
} from '../../src/protocols/protocol.ts';
import { protocols } from '../../src/protocols/shipped-protocols.ts';
import { checkFlashRate, flashesInSecond } from '../../src/protocols/flash-rate.ts';
import { readScreen, stimulusOf, stimulusText } from '../../src/protocols/stimulus.ts';
import { FoveolaError } from '../../src/runtime/error.ts';

const flash = { type: 'flash', duration: 1000, label: 'flash' } as const;
const pause = { type: 'pause', duration: 2000 } as const;
const protocol = (steps: unknown[], more: object = {}) => ({ format: 1, id: 'mine', title: 'Mine', steps, ...more });

function messageOf(given: unknown): string {
  try {
    readProtocol(given);
  } catch (error) {
    expect(error).to.be.instanceOf(FoveolaError);
    expect((error as FoveolaError).code).to.equal('invalid-argument');
    return (error as FoveolaError).message;
  }
  return 'taken';
}

describe('protocols that are given', () => {
  it('are taken as an object and as JSON', () => {
    const given = protocol([flash, { type: 'repeat', times: 2, steps: [pause, flash] }]);
    expect(readProtocol(given)).to.equal(given);
    expect(readProtocol(JSON.stringify(given))).to.deep.equal(given);
  });

  it('are refused with the path and the rule', () => {
    const cases: [unknown, string][] = [
      ['{', 'Protocol: this is not valid JSON'],
      [null, 'Protocol: it must be an object, not null.'],
      [{ ...protocol([flash]), format: 2 }, 'Protocol: format must be 1, not 2.'],
      [protocol([]), 'Protocol: steps must have at least 1 entry, not [].'],
      [
        protocol([{ ...flash, duration: 'long' }]),
        'Protocol: steps[0].duration must be a number from 1 to 3600000, not "long".',
      ],
      [protocol([flash, { type: 'flash' }]), 'Protocol: steps[1].duration must be there.'],
      [
        protocol([{ type: 'blitz' }]),
        'Protocol: steps[0].type must be one of "text", "adapt", "flash", "pause", "show", "ask", "wait", "repeat", not "blitz".',
      ],
      [
        protocol([{ ...flash, lumen: 3 }]),
        'Protocol: steps[0].lumen must not be present. Known: type, duration, luminance, color, eye, label.',
      ],
      [
        protocol([{ type: 'repeat', times: 1.5, steps: [flash] }]),
        'Protocol: steps[0].times must be a whole number from 1 to 500, not 1.5.',
      ],
      [
        protocol([{ type: 'repeat', times: 2, steps: [{ ...flash, color: 'red' }] }]),
        'Protocol: steps[0].steps[0].color must look like ^#[0-9a-fA-F]{6}$, not "red".',
      ],
      [protocol([{ type: 'text', text: { en: 5 } }]), 'Protocol: steps[0].text.en must be a text, not 5.'],
      [protocol([{ type: 'text', text: 5 }]), 'Protocol: steps[0].text must be a text, not 5.'],
      [
        protocol([flash], { id: 'No Spaces' }),
        'Protocol: id must look like ^[a-z0-9][a-z0-9-]{0,63}$, not "No Spaces".',
      ],
      [protocol([flash], { 'a b': 1 }), 'Protocol: ["a b"] must not be present'],
      [
        protocol([{ ...flash, duration: NaN }]),
        'Protocol: steps[0].duration must be a number from 1 to 3600000, not null.',
      ],
    ];
    for (const [given, expected] of cases) expect(messageOf(given)).to.contain(expected);
  });

  it('are refused where they are far larger than any, before they are read', () => {
    expect(messageOf(`${JSON.stringify(protocol([flash]))}${' '.repeat(2 ** 22)}`)).to.contain(
      'at most 4194304 letters',
    );
  });

  it('are refused where repeats lie too deep or come to too many steps', () => {
    const nested = (depth: number): object =>
      depth ? { type: 'repeat', times: 1, steps: [nested(depth - 1)] } : flash;
    expect(messageOf(protocol([nested(3)]))).to.equal('taken');
    expect(messageOf(protocol([nested(4)]))).to.contain('at most 4 repeats deep');
    expect(messageOf(protocol([nested(50)]))).to.contain('at most 4 repeats deep');
    const many = { type: 'repeat', times: 500, steps: Array.from({ length: 20 }, () => pause) };
    expect(messageOf(protocol([many]))).to.contain('at most 5000 with all repeats, not 10000');
  });

  it('own names of objects are no way around the rules', () => {
    const given = JSON.parse(
      '{"format":1,"id":"a","title":"A","steps":[{"type":"pause","duration":5,"__proto__":{}}]}',
    ) as unknown;
    expect(messageOf(given)).to.contain('steps[0].__proto__ must not be present');
    expect(messageOf(protocol([{ type: 'constructor' }]))).to.contain('steps[0].type must be one of');
  });
});

describe('plans of protocols', () => {
  it('lay out repeats, with the luminance of each step', () => {
    const given = readProtocol(
      protocol(
        [
          { type: 'repeat', times: 2, steps: [flash, { ...pause, luminance: 0.5 }] },
          { type: 'text', text: 'Done' },
        ],
        { luminance: 0.2 },
      ),
    );
    expect(planOf(given).map(({ step, path, round, luminance }) => [step.type, path, round, luminance])).to.deep.equal([
      ['flash', 'steps[0].steps[0]', 1, 1],
      ['pause', 'steps[0].steps[1]', 1, 0.5],
      ['flash', 'steps[0].steps[0]', 2, 1],
      ['pause', 'steps[0].steps[1]', 2, 0.5],
      ['text', 'steps[1]', 1, 0.2],
    ]);
    expect(durationOf(planOf(given))).to.equal(6000);
  });

  it('have words in the language, else in English, else in what there is', () => {
    expect(wordsIn('plain', 'de')).to.equal('plain');
    expect(wordsIn({ en: 'light', de: 'Licht' }, 'de-CH')).to.equal('Licht');
    expect(wordsIn({ en: 'light', de: 'Licht' }, 'fr')).to.equal('light');
    expect(wordsIn({ fr: 'lumière' }, 'de')).to.equal('lumière');
    expect(wordsIn({ en: 'light' }, 'constructor')).to.equal('light');
  });
});

describe('protocols that are shipped', () => {
  for (const [name, shipped] of Object.entries(protocols))
    it(`${name} is valid, safe and in both languages`, () => {
      expect(readProtocol(JSON.stringify(shipped))).to.deep.equal(shipped);
      expect(shipped.id).to.equal(name);
      expect(() => checkFlashRate(shipped)).not.to.throw();
      for (const { step } of planOf(shipped))
        if ('text' in step && typeof step.text !== 'string') expect(Object.keys(step.text)).to.deep.equal(['en', 'de']);
    });
});

describe('the light of a flash', () => {
  const screen = readScreen({
    ...{ white: 300, black: 0.3, illuminance: 60, field: { width: 50, height: 30 } },
    ...{ wavelengths: { red: 620, green: 530, blue: 460 }, lag: 20, lagFrom: 'stated' },
  });

  it('has the units of the screen: a color has its share of white', () => {
    const blue = stimulusOf({ type: 'flash', duration: 1000, color: '#0000FF', eye: 'left' }, 0.5, screen);
    expect(blue).to.deep.include({ color: '#0000ff', wavelength: 460, field: { width: 25, height: 30 } });
    expect(blue.luminance).to.be.closeTo(0.3 + 0.5 * 0.0722 * 299.7, 1e-9);
    expect(blue.illuminance).to.be.closeTo(0.5 * 0.5 * 0.0722 * 60, 1e-9);
    expect(stimulusText(blue)).to.equal('blue, 460 nm, 11.1 cd/m², 1.08 lx, 25° x 30°, 1 s');
  });

  it('is known by color and duration alone without one, and has no wavelength as a mixture', () => {
    expect(stimulusText(stimulusOf({ type: 'flash', duration: 200 }, 1))).to.equal('white, 0.2 s');
    expect(stimulusOf({ type: 'flash', duration: 200, color: '#ffff00' }, 1, screen).wavelength).to.equal(null);
  });

  it('of red and blue light has one luminance', () => {
    const flashes = planOf(protocols['red-blue']).filter(({ step }) => step.type === 'flash');
    const [red, blue] = flashes.map(
      ({ step, luminance }) => stimulusOf(step as FlashStep, luminance, screen).luminance!,
    );
    expect(red! / blue!).to.be.closeTo(1, 0.01);
  });

  it('needs a screen that is described by the rules', () => {
    const refused = (given: unknown, message: string) => expect(() => readScreen(given)).to.throw(message);
    refused('{', 'Screen: this is not valid JSON');
    refused({ white: -1 }, 'Screen: white must be a number from 0 to 100000.');
    refused({ field: { width: 'wide' } }, 'Screen: field.width must be a number from 0 to 360.');
    expect(stimulusOf({ type: 'flash', duration: 9 }, 1, readScreen({ field: { width: 3 } })).field).to.equal(null);
    refused({ nits: 3 }, 'Screen: nits must not be present.');
    expect(readScreen('{ "white": 250 }')).to.deep.equal({ white: 250 });
  });
});

describe('protocols that flash', () => {
  const flicker = (on: number, off: number, more: object = {}): Protocol =>
    readProtocol(
      protocol([
        {
          type: 'repeat',
          times: 10,
          steps: [
            { type: 'flash', duration: on, ...more },
            { type: 'pause', duration: off },
          ],
        },
      ]),
    );

  it('are counted in the worst second', () => {
    expect(flashesInSecond(protocols['light-reflex'])).to.equal(1);
    expect(flashesInSecond(flicker(100, 900))).to.equal(1);
    expect(flashesInSecond(flicker(150, 150))).to.equal(3);
    expect(flashesInSecond(flicker(100, 100))).to.equal(5);
    expect(flashesInSecond(flicker(50, 50))).to.equal(10);
  });

  it('count what differs in luminance alone, and each eye for itself', () => {
    expect(flashesInSecond(flicker(100, 100, { luminance: 0.09 }))).to.equal(0);
    expect(flashesInSecond(flicker(100, 100, { luminance: 0.11 }))).to.equal(5);
    expect(flashesInSecond(flicker(100, 100, { color: '#0000ff' }))).to.equal(0); // 0.07 of white
    expect(flashesInSecond(flicker(100, 100, { color: '#ff0000' }))).to.equal(5); // 0.21
    const inTurn = protocol([
      {
        type: 'repeat',
        times: 9,
        steps: [
          { type: 'flash', duration: 200, eye: 'left' },
          { type: 'flash', duration: 200, eye: 'right' },
        ],
      },
    ]) as Protocol;
    expect(flashesInSecond(inTurn)).to.equal(3);
  });

  it('take no time for what a key may end at once', () => {
    const asked = protocol([
      {
        type: 'repeat',
        times: 6,
        steps: [
          { type: 'flash', duration: 100 },
          { type: 'ask', text: '1 + 1', duration: 5000 },
        ],
      },
    ]) as Protocol;
    expect(flashesInSecond(asked)).to.be.greaterThan(3);
  });

  it('are refused past three a second, with what to do', () => {
    expect(() => checkFlashRate(flicker(150, 200))).not.to.throw();
    expect(() => checkFlashRate(flicker(100, 100))).to.throw(
      FoveolaError,
      /flashes 5 times per second.*allow-fast-flashes/s,
    );
  });
});
