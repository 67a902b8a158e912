/** The format of a protocol as JSON Schema. `readProtocol` checks it, and editors use it for completion. */

// Checks a value against a schema. It supports the part of JSON Schema (2020-12) that our formats need. A failure names
// the path of the value and the rule in words. It is written for few rules and good messages. Editors and other
// programs read this schema with other tools.

/** The supported part of JSON Schema. The types reject everything else. */
interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly $schema?: string;
  readonly $id?: string;
  readonly $ref?: '#/$defs/step' | '#/$defs/words';
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
  readonly const?: string | number;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false | Schema;
  readonly minProperties?: number;
  readonly default?: unknown;
  /** One of several objects that differ in the constant of their `type`, or one of several types. */
  readonly oneOf?: readonly Schema[];
}

/** A value that breaks a rule. */
interface Fault {
  /** Path in JavaScript notation, such as `steps[2].duration`. '' for the whole value. */
  readonly path: string;
  /** The rule, worded to follow "must". */
  readonly rule: string;
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);
const isType = (value: unknown, type: NonNullable<Schema['type']>): boolean =>
  type === 'integer' ? Number.isInteger(value) : type === 'number' ? Number.isFinite(value) : typeOf(value) === type;

const articles = { object: 'an object', array: 'a list', string: 'a text', boolean: 'true or false' } as const;
const listed = (words: readonly unknown[]): string => words.map((word) => JSON.stringify(word)).join(', ');

function numberRule({ type, minimum = -Infinity, maximum = Infinity }: Schema): string {
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  if (minimum > -Infinity && maximum < Infinity) return `be ${kind} from ${minimum} to ${maximum}`;
  if (minimum > -Infinity) return `be ${kind} of at least ${minimum}`;
  return maximum < Infinity ? `be ${kind} of at most ${maximum}` : `be ${kind}`;
}

const join = (path: string, name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? (path ? `${path}.${name}` : name) : `${path}[${JSON.stringify(name)}]`;

/** Returns the first fault of a value, or null. `root` contains the definitions that references name. */
export function faultOf(value: unknown, schema: Schema, root: Schema = schema, path = ''): Fault | null {
  if (schema.$ref) return faultOf(value, root.$defs![schema.$ref.slice('#/$defs/'.length)]!, root, path);
  if (schema.oneOf) return alternative(value, schema.oneOf, root, path);
  const fault = (rule: string): Fault => ({ path, rule });
  if (schema.const !== undefined && value !== schema.const) return fault(`be ${JSON.stringify(schema.const)}`);
  if (schema.enum && !schema.enum.includes(value as string)) return fault(`be one of ${listed(schema.enum)}`);
  const { type } = schema;
  if (!type) return null;
  if (type === 'number' || type === 'integer') {
    const { minimum = -Infinity, maximum = Infinity } = schema;
    const given = value as number;
    return isType(value, type) && given >= minimum && given <= maximum ? null : fault(numberRule(schema));
  }
  if (!isType(value, type)) return fault(`be ${articles[type]}`);
  if (type === 'string') return stringFault(value as string, schema, path);
  if (type === 'array') return arrayFault(value as unknown[], schema, root, path);
  return type === 'object' ? objectFault(value as object, schema, root, path) : null;
}

function stringFault(
  text: string,
  { minLength = 0, maxLength = Infinity, pattern }: Schema,
  path: string,
): Fault | null {
  if (text.length < minLength) return { path, rule: 'not be empty' };
  if (text.length > maxLength) return { path, rule: `have at most ${maxLength} letters` };
  if (pattern && !new RegExp(pattern, 'u').test(text)) return { path, rule: `look like ${pattern}` };
  return null;
}

function arrayFault(list: unknown[], schema: Schema, root: Schema, path: string): Fault | null {
  const { items, minItems = 0, maxItems = Infinity } = schema;
  if (list.length < minItems)
    return { path, rule: `have at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}` };
  if (list.length > maxItems) return { path, rule: `have at most ${maxItems} entries` };
  for (const [i, one] of list.entries()) {
    const fault = items && faultOf(one, items, root, `${path}[${i}]`);
    if (fault) return fault;
  }
  return null;
}

function objectFault(given: object, schema: Schema, root: Schema, path: string): Fault | null {
  const { properties = {}, required = [], additionalProperties, minProperties = 0 } = schema;
  for (const name of required) if (!Object.hasOwn(given, name)) return { path: join(path, name), rule: 'be there' };
  const entries = Object.entries(given);
  if (entries.length < minProperties) return { path, rule: `have at least ${minProperties} entry` };
  for (const [name, value] of entries) {
    const at = join(path, name);
    const known = Object.hasOwn(properties, name) ? properties[name]! : additionalProperties;
    if (known === false) return { path: at, rule: `not be present. Known: ${Object.keys(properties).join(', ')}` };
    const fault = known && faultOf(value, known, root, at);
    if (fault) return fault;
  }
  return null;
}

/**
 * Among objects, selects the one with the same `type`, so that the fault refers to the object that the author meant.
 */
function alternative(value: unknown, schemas: readonly Schema[], root: Schema, path: string): Fault | null {
  const kindOf = (schema: Schema) => schema.properties?.type?.const;
  const tagged = schemas.filter((schema) => kindOf(schema) !== undefined);
  if (typeOf(value) === 'object' && tagged.length) {
    const { type } = value as { type?: unknown };
    const meant = tagged.find((schema) => kindOf(schema) === type);
    return meant
      ? faultOf(value, meant, root, path)
      : { path: join(path, 'type'), rule: `be one of ${listed(tagged.map(kindOf))}` };
  }
  const faults = schemas.map((schema) => faultOf(value, schema, root, path));
  return faults.includes(null) ? null : (faults.find((fault) => fault!.path !== path) ?? faults[0]!);
}

/** Maximum duration of one step, ms: one hour. */
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

/**
 * Maximum nesting depth of repeats, and maximum number of steps in a run. A typing error must not lead to a test that
 * lasts a day.
 */
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
      enum: [
        ...['light-reflex', 'relative-afferent-defect', 'rest', 'task-evoked'],
        ...['post-illumination', 'unrest', 'dark-adaptation', 'near-response'],
      ],
      description: 'Analysis of the samples around the markers.',
    },
    eyes: { type: 'integer', minimum: 1, maximum: 2, description: 'Number of eyes that the image must show.' },
    luminance,
    steps: { type: 'array', minItems: 1, maxItems: 500, items: { $ref: '#/$defs/step' } },
  },
  required: ['format', 'id', 'title', 'steps'],
  additionalProperties: false,
  $defs: {
    words: {
      description: 'A text, or one text per language: { "en": "…", "de": "…" }.',
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
          'Shows a text and continues at a key or a click.',
        ),
        /*#__PURE__*/ step(
          'adapt',
          {
            duration,
            luminance,
            countdown: { type: 'boolean', description: 'Shows the time that is left, in dim red.' },
            label,
          },
          ['duration'],
          'A uniform screen for adaptation.',
        ),
        /*#__PURE__*/ step(
          'flash',
          {
            duration,
            luminance,
            color: { type: 'string', pattern: '^#[0-9a-fA-F]{6}$', description: 'Color instead of white.' },
            eye: { enum: ['both', 'left', 'right'], description: 'One eye, which uses only its half of the screen.' },
            label,
          },
          ['duration'],
          'A light, with a marker at its onset and end.',
        ),
        /*#__PURE__*/ step('pause', { duration, luminance, label }, ['duration'], 'Returns to the uniform screen.'),
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
          'A task that ends with a key press or after its duration.',
        ),
        /*#__PURE__*/ step(
          'wait',
          { for: { type: 'string', minLength: 1, maxLength: 80 }, duration, luminance },
          ['for', 'duration'],
          'Waits for an external marker with this label, up to its duration.',
        ),
        /*#__PURE__*/ step(
          'repeat',
          {
            times: { type: 'integer', minimum: 1, maximum: 500 },
            steps: { type: 'array', minItems: 1, maxItems: 500, items: { $ref: '#/$defs/step' } },
          },
          ['times', 'steps'],
          'Repeats the steps.',
        ),
      ],
    },
  },
} as const satisfies Schema;

const positive = (maximum: number, description: string): Schema => ({
  type: 'number',
  minimum: 0,
  maximum,
  description,
});
const of = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties,
  additionalProperties: false,
});
const peak = positive(2000, 'Peak wavelength, nm.');
const angle = positive(360, 'Degrees.');

/** The description of a screen. */
export const screenSchema: Schema = of({
  white: positive(100_000, 'Luminance of full white, cd/m².'),
  black: positive(100_000, 'Luminance of black, cd/m².'),
  illuminance: positive(1_000_000, 'Illuminance of the eye by full white, lx.'),
  wavelengths: of({ red: peak, green: peak, blue: peak }),
  field: of({ width: angle, height: angle }),
  lag: positive(1000, 'Time from a change in the page until the light changes, ms.'),
  lagFrom: { enum: ['measured', 'stated'] },
});
