// The check of words finds what it should and leaves good English alone.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { american, archaicWords, hits, readIn } from '../../tools/check-prose.mjs';
import { drawFacts, wordFigures } from '../../tools/docs/words.mjs';

describe('the check of prose', () => {
  for (const [given, expected] of [
    ['colourOf(nextCentre, NEIGHBOURS)', 'colorOf(nextCenter, NEIGHBORS)'],
    ['Normalised, quantisation, initialises', 'Normalized, quantization, initializes'],
    ['the modelled fibres; labelling', 'the modeled fibers; labeling'],
    ['grayscale, colour-blind; RECOGNISED', 'grayscale, color-blind; RECOGNIZED'],
  ])
    it(`writes ${expected}`, () => {
      assert.equal(american(given), expected);
      assert.equal(american(expected), expected);
    });

  it('leaves American words, German words, and names of the contract', () => {
    const text =
      'millimetresPerPixel, analyse(), analysing, otherwise, promise, exercise, precise, optimistic, cancellation, cancelled, ' +
      'normalisiert, organism, realistic, minNeighbors';
    assert.equal(american(text), text);
  });

  it('finds archaic words, whole and in any case', () => {
    assert.deepEqual(archaicWords('Upon it, to and fro, wherefore'), ['Upon', 'to and fro', 'wherefore']);
    assert.deepEqual(archaicWords('thereupons, of old, new Set, Marshall'), []);
  });

  it('names the sentence patterns of bad examples, and none of good ones', () => {
    const rules = (text) => hits(text).map(({ rule }) => rule);
    assert.deepEqual(rules('What is strong is an edge.'), ['name the thing, not "what is"']);
    assert.deepEqual(rules('At most 60 frames a second.'), ['rates take "per"']);
    assert.deepEqual(rules('The folder lies beside it.'), [
      'values are stored, they do not lie or stand',
      '"next to" or "compared with", not "beside"',
    ]);
    assert.deepEqual(rules(Array(31).fill('word').join(' ')), ['at most 30 words in a sentence']);
    const good =
      'Pixels above `high` are edges. Set `threads: 1`. If the browser does not support WebCodecs, the element plays the video. ' +
      'It returns 60 frames per second, or null if no eye exists. The limit was reached.';
    assert.deepEqual(hits(good), []);
  });

  it('reads comments, messages and texts on screen, and no code', () => {
    const code = [
      '/** A comment that is\n * long. */',
      "const a = 'what is this'; // short note here",
      "throw new FoveolaError('x', `A message.`);",
      "const p = { effect: 'An effect.', label: 'A label on screen' };",
    ].join('\n');
    const own = ['A comment that is long.', 'short note here', 'A message.', 'An effect.'];
    assert.deepEqual(readIn('src/a.ts', code), own);
    assert.ok(readIn('widget/strings/en.ts', code).includes('A label on screen'));
    assert.deepEqual(readIn('a.md', 'Prose\ngoes on.\n\n```js\ncode\n```\n| table |'), ['Prose goes on.', '', '']);
  });
});

describe('the language of the pages for users', () => {
  it('meets its limits', () => {
    const missed = wordFigures().filter(({ name, met }) => !met && !/changelog/.test(name));
    assert.deepEqual(missed, []);
  });

  it('has facts that are drawn alike by the same seed', () => {
    const [first, again, other] = [drawFacts(5), drawFacts(5), drawFacts(6)];
    assert.equal(new Set(first.map(({ sentence }) => sentence)).size, 30);
    assert.deepEqual(first, again);
    assert.notDeepEqual(first, other);
  });
});
