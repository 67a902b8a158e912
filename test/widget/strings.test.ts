import { expect } from 'chai';
import { errorCodes, FoveolaError } from '../../src/index.ts';
import { de } from '../../widget/strings/de.ts';
import { en } from '../../widget/strings/en.ts';
import { addStrings, stringsFor } from '../../widget/strings/index.ts';

/** Arguments for every function of a dictionary: numbers that no sentence has by itself, and a box. */
const box = { x: 41, y: 42, width: 43, height: 44 };
const said = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const call = value as (...args: unknown[]) => string;
  return call.toString().includes('width') && call.length === 1 ? call(box) : call(71, 72, 73, 74);
};

/** Every text of a dictionary under its path; functions as what they say. */
function* texts(dictionary: object, path = ''): Generator<[path: string, text: string]> {
  for (const [name, value] of Object.entries(dictionary)) {
    const at = path ? `${path}.${name}` : name;
    if (typeof value === 'object' && value !== null) yield* texts(value as object, at);
    else yield [at, said(value)];
  }
}

/** Effects of parameters are in the parameter tables, in English; German has those it translates. */
const common = ([path]: [string, string]) => !path.startsWith('effects.');
const english = new Map([...texts(en)].filter(common));
const german = new Map([...texts(de)].filter(common));

/** Words and signs that both languages write alike. */
const alike = [
  ...['Filter', 'Export', 'JSON', 'CSV', 'Reflexe', 'Region', 'Position', 'Pixel', 'Symmetrie', 'Variante'],
  ...[
    'L',
    'R',
    'PupilEXT',
    'MOT',
    'Challenge',
    'TXT',
    'RANSAC',
    's',
    'px',
    'mm',
    'MB',
    'ms',
    'Live',
    'Sigma',
    'Median',
    'Gauß',
  ],
  ...[
    'Gradient',
    'Robust',
    'Starburst',
    'Hough',
    'Sobel',
    'Ellipse',
    'Adaptation',
    'Operation',
    'Fovea',
    'Iris',
    'min',
    'max',
    'CPU',
    'GPU',
    'rad',
    'µm',
    'm',
  ],
];

describe('the dictionaries', () => {
  it('have the same texts', () => {
    // The English names of further measures are in reports (test/widget/same-numbers.test.ts checks the German ones).
    const own = [...german.keys()].filter((key) => english.has(key) || !key.startsWith('vessels.measures.'));
    expect(own.sort()).to.deep.equal([...english.keys()].sort());
  });

  it('have a title and what to do for every error', () => {
    for (const strings of [en, de])
      for (const code of errorCodes) {
        expect(strings.errors[code], code).to.match(/\w/);
        expect(strings.errorHelp[code], code).to.match(/\w.*\.$/);
      }
  });

  it('have no English left in German', () => {
    const left = [...german].filter(([path, text]) => {
      const words = text.match(/[\p{L}]+/gu) ?? [];
      return words.length > 0 && text === english.get(path) && !words.every((word) => alike.includes(word));
    });
    expect(left).to.deep.equal([]);
    const tell = /\b(the|of|and|with|is|are|to|not|from|by|this|that|frames?|pixels|found|lost)\b/i;
    expect([...german].filter(([, text]) => tell.test(text))).to.deep.equal([]);
  });

  it('keep the numbers and words that they are given', () => {
    for (const [path, text] of english)
      expect(german.get(path)!.match(/\d+/g) ?? [], path).to.have.members(text.match(/\d+/g) ?? []);
  });

  it('have one word for one thing', () => {
    const all = [...german.values()].join('\n');
    expect(all).to.not.match(/Sicherheit/i);
    // A target is lost; a frame is left out; a graphics context is something else again.
    const losing = [...german].filter(([, text]) => /verl(or|ier)/i.test(text)).map(([path]) => path);
    expect(losing).to.deep.equal(['track.lost', 'track.lostState', 'track.state'].filter((p) => losing.includes(p)));
    expect(losing).to.not.be.empty;
    expect(de.dropped).to.not.equal(de.track.lostState);
    // The field of view of a photograph is not the visual field of a person.
    expect(all).to.not.match(/Gesichtsfeld/);
  });
});

describe('numbers on the screen', () => {
  it('have the decimal sign of the page, no sign between thousands, and our digits', () => {
    expect(stringsFor('en').number(1234.56, 1)).to.equal('1234.6');
    expect(stringsFor('de').number(1234.56, 1)).to.equal('1234,6');
    expect(stringsFor('de-CH').number(0.5, 2)).to.equal('0.50');
    expect(stringsFor('fr').number(3.25, 2)).to.equal('3,25'); // its words are English
    expect(stringsFor('ar-EG').number(12, 0)).to.equal('12');
    expect(stringsFor('no such tag').number(1.5, 1)).to.equal('1.5');
  });

  it('come with the language and the direction of the words', () => {
    expect(stringsFor('ar')).to.include({ language: 'en', direction: 'ltr' });
    expect(stringsFor('de-AT')).to.include({ language: 'de', direction: 'ltr' });
  });
});

describe('words that a page adds', () => {
  const add = (language: unknown, strings: unknown) => {
    try {
      addStrings(language as string, strings as typeof en);
    } catch (error) {
      return error as FoveolaError;
    }
    return null;
  };

  it('are refused where they are none, with the place', () => {
    const throwing = Object.defineProperty({}, 'play', { enumerable: true, get: () => void JSON.parse('{') });
    const wrong: [language: unknown, strings: unknown, words: RegExp][] = [
      ['xx', { play: () => 'x' }, /strings\.play must be a text, not a function/],
      ['xx', { play: Symbol('x') }, /strings\.play must be a text, not Symbol/],
      ['xx', { analysed: 'x' }, /strings\.analysed must be a function, not 'x'/],
      ['xx', { states: { idle: 3 } }, /strings\.states\.idle must be a text, not 3/],
      ['xx', { states: () => ({}) }, /strings\.states must be an object, not a function/],
      ['xx', { parameters: { mine: () => 'x' } }, /strings\.parameters\.mine must be a text/],
      ['xx', throwing, /strings\.play cannot be read/],
      ['xx', null, /strings must be an object/],
      ['xx', () => {}, /strings must be an object/],
      [Symbol('xx'), {}, /language must be a text/],
      [{}, {}, /language must be a text/],
    ];
    for (const [language, strings, words] of wrong) {
      const error = add(language, strings);
      expect(error, String(words)).to.be.instanceOf(FoveolaError).with.property('code', 'invalid-argument');
      expect(error!.message).to.match(words);
    }
    expect(stringsFor('xx').language).to.equal('en');
  });

  it('stand among English ones where some are left out', () => {
    const given = { play: 'Lire', states: { idle: 'Rien' }, parameters: { mine: 'Le mien' } };
    expect(add('fr', given)).to.equal(null);
    const { play, pause, states, parameters } = stringsFor('fr');
    expect([play, pause, states.idle, states.error]).to.deep.equal(['Lire', en.pause, 'Rien', en.states.error]);
    expect(parameters).to.include({ mine: 'Le mien', variant: en.parameters.variant });
  });
});
