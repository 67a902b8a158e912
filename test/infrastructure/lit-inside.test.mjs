import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { needsLit, specifiers } from '../../tools/lit-inside.mjs';

describe('the modules that are bundled with Lit', () => {
  const files = {
    '/a/elements.js': 'export{a}from"./elements/pupil.js";import"./plain.js"',
    '/a/elements/pupil.js': 'import { x } from "../chunk.js"',
    '/a/chunk.js': 'import{html}from"lit";import"./plain.js"',
    '/a/directive.js': "import { live } from 'lit/directives/live.js'",
    '/a/plain.js': 'const later=()=>import("./later.js");const word="from lit"',
    '/a/later.js': 'import"./plain.js"',
    '/a/later-lit.js': 'const later=()=>import("./chunk.js")',
    '/a/literally.js': 'import "literally"',
    '/a/words.js': 'const words=["from","lit","import"]',
  };
  const needs = (name) => needsLit(name, (file) => specifiers(files[file]));

  it('are those that import it, themselves or by others', () => {
    const wanted = ['/a/elements.js', '/a/elements/pupil.js', '/a/chunk.js', '/a/directive.js', '/a/later-lit.js'];
    assert.deepEqual(Object.keys(files).filter(needs).sort(), wanted.sort());
  });
});
