// The check of spelling and words finds what it should, leaves the rest, and what --fix writes passes it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { american, archaicWords } from '../../tools/check-words.mjs';

describe('American spelling', () => {
  for (const [given, expected] of [
    ['colourOf(nextCentre, NEIGHBOURS)', 'colorOf(nextCenter, NEIGHBORS)'],
    ['Normalised, quantisation, initialises', 'Normalized, quantization, initializes'],
    ['the modelled fibres; labelling', 'the modeled fibers; labeling'],
    ['grayscale, colour-blind; RECOGNISED', 'grayscale, color-blind; RECOGNIZED'],
  ])
    it(given, () => {
      const { fixed, found } = american(given);
      assert.equal(fixed, expected);
      assert.ok(found.length > 0);
      assert.deepEqual(american(fixed).found, []);
    });

  it('leaves what is right, German words, and what the contract spells', () => {
    const text =
      'millimetresPerPixel, analyse(), analysing, otherwise, promise, exercise, precise, optimistic, cancellation, cancelled, ' +
      'normalisiert, organism, realistic, minNeighbors';
    assert.deepEqual(american(text), { fixed: text, found: [] });
  });

  it('says where', () => {
    assert.deepEqual(american('a\nb colour').found, [{ line: 2, word: 'colour', american: 'color' }]);
    assert.deepEqual(american('colour', () => true).found, []);
  });
});

describe('archaic words', () => {
  it('are found with their line and a modern word, whole and in any case', () => {
    assert.deepEqual(archaicWords('a\nUpon it, to and fro; wherefore'), [
      { line: 2, word: 'Upon', instead: 'on' },
      { line: 2, word: 'to and fro', instead: 'back and forth' },
      { line: 2, word: 'wherefore', instead: 'why' },
    ]);
    assert.deepEqual(archaicWords('toldFetch, thereupons, of old, new Set, Marshall'), []);
  });

  it('stay where they are names', () =>
    assert.deepEqual(
      archaicWords('told', () => true),
      [],
    ));
});
