// Of tracks on one face the one stays that the face looks like, or else the older one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { library } from './support.mjs';

const { isOnAnothers } = library;

const track = (id, x, alike) => ({ id, box: { x, y: 40, width: 100, height: 100 }, alike });
const staying = (...tracks) => tracks.filter((one) => !isOnAnothers(one, tracks)).map(({ id }) => id);

describe('tracks on one face', () => {
  it('leave the one that the face looks like, whichever is older', () => {
    assert.deepEqual(staying(track(1, 0, 0.9), track(2, 10, 0.4)), [1]);
    assert.deepEqual(staying(track(1, 0, 0.4), track(2, 10, 0.9)), [2]);
  });

  it('leave the older one where looks do not tell', () => {
    assert.deepEqual(staying(track(2, 0, 0.5), track(1, 10, 0.5)), [1]);
    assert.deepEqual(staying(track(1, 0, NaN), track(2, 10, 0.9)), [1]);
  });

  it('leave both where their boxes have no more than 0.6 in common', () => {
    // Shifted by a quarter of its width a box shares 75 of 125 parts with itself.
    assert.deepEqual(staying(track(1, 0, 0.9), track(2, 25, 0.4)), [1, 2]);
    assert.deepEqual(staying(track(1, 0, 0.9), track(2, 24, 0.4)), [1]);
  });

  it('leave one of three', () => assert.deepEqual(staying(track(1, 0, 0.2), track(2, 8, 0.9), track(3, 4, 0.5)), [2]));
});
