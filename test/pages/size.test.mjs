import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkBudget } from '../../tools/build.mjs';

it('foveola.cdn.js is within its budget', () => assert.ok(checkBudget() > 10_000));
