/** The format of a protocol, as JSON Schema: what `readProtocol` checks and what editors complete. */
import type { Schema } from './check-schema.ts';

/** Longest time of one step, ms: an hour. */
const LONGEST = 3_600_000;

const duration: Schema = { type: 'number', minimum: 1, maximum: LONGEST, description: 'Milliseconds.' };
const luminance: Schema = {
  type: 'number',
  minimum: 0,
  maximum: 1,
  description: 'Relative luminance of the screen, 0 (black) to 1 (white).',
};
const words: Schema = { $ref: '#/$defs/words' };
const label: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 80,
  description: 'Label of the marker that is set at its onset.',
};

const step = (type: string, properties: Record<string, Schema>, required: readonly string[], description: string) =>
  ({
    type: 'object',
    description,
    properties: { type: { const: type }, ...properties },
    required: ['type', ...required],
    additionalProperties: false,
  }) satisfies Schema;

/** How deep repeats may lie in each other, and how many steps a run may have: a typing error must not take a day. */
export const DEEPEST = 4;
export const MOST_STEPS = 5000;

export const protocolSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Protocol of a pupil test',
  type: 'object',
  properties: {
    $schema: { type: 'string' },
    format: { const: 1, description: 'Version of this format.' },
    id: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,63}$', description: 'Name in exports: a-z, 0-9 and dashes.' },
    title: words,
    description: words,
    measure: {
      enum: ['light-reflex', 'relative-afferent-defect', 'rest', 'task-evoked'],
      description: 'What is computed from the samples around the markers.',
    },
    eyes: { type: 'integer', minimum: 1, maximum: 2, description: 'How many eyes the picture must show.' },
    luminance,
    steps: { type: 'array', minItems: 1, maxItems: 500, items: { $ref: '#/$defs/step' } },
  },
  required: ['format', 'id', 'title', 'steps'],
  additionalProperties: false,
  $defs: {
    words: {
      description: 'A text, or the same by language: { "en": "…", "de": "…" }.',
      oneOf: [
        { type: 'string', minLength: 1, maxLength: 2000 },
        {
          type: 'object',
          minProperties: 1,
          additionalProperties: { type: 'string', minLength: 1, maxLength: 2000 },
        },
      ],
    },
    step: {
      oneOf: [
        /*#__PURE__*/ step(
          'text',
          { text: words, luminance },
          ['text'],
          'Tells the person something; goes on at a key or a click.',
        ),
        /*#__PURE__*/ step(
          'adapt',
          { duration, luminance, label },
          ['duration'],
          'An even screen, so that the eyes get used to it.',
        ),
        /*#__PURE__*/ step(
          'flash',
          {
            duration,
            luminance,
            color: { type: 'string', pattern: '^#[0-9a-fA-F]{6}$', description: 'Instead of white.' },
            eye: { enum: ['both', 'left', 'right'], description: 'One eye: that half of the screen alone.' },
            label,
          },
          ['duration'],
          'Light; a marker at its onset and its end.',
        ),
        /*#__PURE__*/ step('pause', { duration, luminance, label }, ['duration'], 'Back to the even screen.'),
        /*#__PURE__*/ step(
          'show',
          { text: words, duration, luminance, label },
          ['text', 'duration'],
          'Shows a text for some time.',
        ),
        /*#__PURE__*/ step(
          'ask',
          { text: words, answer: { type: 'string', minLength: 1, maxLength: 200 }, duration, luminance, label },
          ['text', 'duration'],
          'A task; the person presses a key when it is done, else it ends after its duration.',
        ),
        /*#__PURE__*/ step(
          'wait',
          { for: { type: 'string', minLength: 1, maxLength: 80 }, duration, luminance },
          ['for', 'duration'],
          'Until a marker of this label comes from outside, for at most its duration.',
        ),
        /*#__PURE__*/ step(
          'repeat',
          {
            times: { type: 'integer', minimum: 1, maximum: 500 },
            steps: { type: 'array', minItems: 1, maxItems: 500, items: { $ref: '#/$defs/step' } },
          },
          ['times', 'steps'],
          'The same steps several times.',
        ),
      ],
    },
  },
} as const satisfies Schema;
