/**
 * A protocol: the script of a pupil test, as plain data that can be stored, sent and displayed. It defines what the
 * person sees and when. The tracker does the measuring, and src/series computes the results afterwards.
 */
import { shown } from '../runtime/check.ts';
import { FoveolaError } from '../runtime/error.ts';
import { faultOf, DEEPEST, MOST_STEPS, protocolSchema } from './protocol-schema.ts';

/** A text, or a text per language. */
export type Words = string | Readonly<Record<string, string>>;
/** Relative luminance of the uniform screen, 0 to 1. */
interface Lit {
  readonly luminance?: number;
}
interface Timed extends Lit {
  /** Milliseconds. */
  readonly duration: number;
  /** Label of the marker at the onset. */
  readonly label?: string;
}
export interface TextStep extends Lit {
  readonly type: 'text';
  readonly text: Words;
}
export interface AdaptStep extends Timed {
  readonly type: 'adapt';
  /** Shows the time that is left. */
  readonly countdown?: boolean;
}
export interface PauseStep extends Timed {
  readonly type: 'pause';
}
export interface FlashStep extends Timed {
  readonly type: 'flash';
  readonly color?: string;
  readonly eye?: 'both' | 'left' | 'right';
}
export interface ShowStep extends Timed {
  readonly type: 'show';
  readonly text: Words;
}
export interface AskStep extends Timed {
  readonly type: 'ask';
  readonly text: Words;
  /** The expected answer of the person. It is stored in the marker. */
  readonly answer?: string;
}
export interface WaitStep extends Lit {
  readonly type: 'wait';
  /** Label of the marker that ends the wait. */
  readonly for: string;
  readonly duration: number;
}
export interface RepeatStep {
  readonly type: 'repeat';
  readonly times: number;
  readonly steps: readonly ProtocolStep[];
}
/** A step that the person sees. */
export type SeenStep = TextStep | AdaptStep | PauseStep | FlashStep | ShowStep | AskStep | WaitStep;
export type ProtocolStep = SeenStep | RepeatStep;

export type ProtocolMeasure =
  | 'light-reflex'
  | 'relative-afferent-defect'
  | 'rest'
  | 'task-evoked'
  | 'post-illumination'
  | 'unrest'
  | 'dark-adaptation'
  | 'near-response';

export interface Protocol {
  readonly format: 1;
  readonly id: string;
  readonly title: Words;
  readonly description?: Words;
  readonly measure?: ProtocolMeasure;
  /** Number of eyes that the image must show. Default 1. */
  readonly eyes?: 1 | 2;
  /** Luminance of the uniform screen between the steps. Default 0. */
  readonly luminance?: number;
  readonly steps: readonly ProtocolStep[];
}

/** Maximum length of a protocol text in characters. Parsing a text a hundred times as long would block the page. */
const MOST_LETTERS = 1 << 22;

const refuse = (text: string) => new FoveolaError('invalid-argument', `Protocol: ${text}`);

/** The value as JSON. Values that JSON cannot represent (a bigint, a circular reference) are shown as in messages. */
const shortened = (value: unknown): string => {
  let text: string;
  try {
    text = JSON.stringify(value) ?? shown(value);
  } catch {
    text = shown(value);
  }
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};

/** The value at a path in the notation of `faultOf`. */
function valueAt(whole: unknown, path: string): unknown {
  let value = whole;
  for (const [, name, index, quoted] of path.matchAll(/([A-Za-z_$][\w$]*)|\[(\d+)\]|\["([^"]*)"\]/g))
    value = (value as Record<string, unknown> | undefined)?.[name ?? index ?? quoted!];
  return value;
}

function depthOf(steps: readonly ProtocolStep[]): number {
  return 1 + Math.max(0, ...steps.map((step) => (step.type === 'repeat' ? depthOf(step.steps) : 0)));
}

function countOf(steps: readonly ProtocolStep[]): number {
  return steps.reduce((sum, step) => sum + (step.type === 'repeat' ? step.times * countOf(step.steps) : 1), 0);
}

/** Whether objects are nested deeper than `most`. It does not use recursion, because the input may be anything. */
function deeperThan(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length; depth++) {
    if (depth > most) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one ? Object.values(one) : []));
  }
  return false;
}

/**
 * Reads a protocol: a JSON text, or the parsed object.
 * @throws {FoveolaError} 'invalid-argument' with the path and the rule, such as `Protocol: steps[2].duration must be a
 * number from 1 to 3600000, not "long".`
 */
export function readProtocol(given: unknown): Protocol {
  let value = given;
  if (typeof given === 'string') {
    if (given.length > MOST_LETTERS) throw refuse(`it must have at most ${MOST_LETTERS} letters.`);
    try {
      value = JSON.parse(given);
    } catch (cause) {
      throw new FoveolaError('invalid-argument', `Protocol: this is not valid JSON (${(cause as Error).message}).`, {
        cause,
      });
    }
  }
  // Each repeat adds an object and a list. The texts of a step add one more object.
  if (deeperThan(value, 2 * DEEPEST + 6)) throw refuse(`steps must be at most ${DEEPEST} repeats deep.`);
  const fault = faultOf(value, protocolSchema);
  if (fault) {
    const found = fault.rule === 'be there' ? '' : `, not ${shortened(valueAt(value, fault.path))}`;
    throw refuse(`${fault.path || 'it'} must ${fault.rule}${fault.rule.startsWith('not ') ? '' : found}.`);
  }
  const protocol = value as Protocol;
  if (depthOf(protocol.steps) > DEEPEST) throw refuse(`steps must be at most ${DEEPEST} repeats deep.`);
  const count = countOf(protocol.steps);
  if (count > MOST_STEPS) throw refuse(`steps must be at most ${MOST_STEPS} with all repeats, not ${count}.`);
  return protocol;
}

/** A text in the given language. Without one, in English, and otherwise in the first language available. */
export function wordsIn(words: Words, language: string): string {
  if (typeof words === 'string') return words;
  const has = (name: string) => (Object.hasOwn(words, name) ? words[name] : undefined);
  return has(language) ?? has(language.split('-')[0]!) ?? has('en') ?? Object.values(words)[0]!;
}

/** One step of a run. Repeats are expanded. */
export interface PlannedStep {
  readonly step: SeenStep;
  /** Path as in the messages of `readProtocol`. */
  readonly path: string;
  /** Iteration of the innermost repeat, starting at 1. */
  readonly round: number;
  /** Relative luminance of the uniform screen during the step. For a flash: luminance of its light. */
  readonly luminance: number;
}

/** The steps in the order that the person sees them. */
export function planOf({ steps, luminance = 0 }: Protocol): PlannedStep[] {
  const plan: PlannedStep[] = [];
  const add = (list: readonly ProtocolStep[], path: string, round: number) => {
    for (const [i, step] of list.entries()) {
      const at = `${path}[${i}]`;
      if (step.type === 'repeat') for (let n = 1; n <= step.times; n++) add(step.steps, `${at}.steps`, n);
      else plan.push({ step, path: at, round, luminance: step.luminance ?? (step.type === 'flash' ? 1 : luminance) });
    }
  };
  add(steps, 'steps', 1);
  return plan;
}

/** Total duration of all steps that have one, ms. The reading time of a person is not known. */
export const durationOf = (plan: readonly PlannedStep[]): number =>
  plan.reduce((sum, { step }) => sum + (step.type === 'text' ? 0 : step.duration), 0);
