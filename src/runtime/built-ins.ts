/**
 * Checks that the JavaScript built-ins work as specified. Old libraries (Prototype.js, MooTools) replace some of them
 * with incompatible functions. Lists are then empty and loops never end. Each built-in is called once and its result is
 * compared.
 */
import { FoveolaError } from './error.ts';

/** By name of the built-in: a call that returns its result as text, and the expected text. */
const tries: Readonly<Record<string, readonly [give: () => unknown, expected: string]>> = {
  'Array.from': [() => [Array.from({ length: 2 }, (_, i) => i + 1), Array.from(new Set([3]))], '1,2,3'],
  'Array.prototype.entries': [() => [...['a'].entries()], '0,a'],
  'Array.prototype.keys': [() => [...['a'].keys()], '0'],
  'Array.prototype.values': [() => [...['a'].values()], 'a'],
  'Array.prototype.map': [() => [3, 4].map((value, i) => value * i), '0,4'],
  'Array.prototype.filter': [() => [3, 4].filter((_, i) => i), '4'],
  'Array.prototype.reduce': [() => [[1, 2].reduce((sum, value) => sum + value, 3), [5].reduce((sum) => sum)], '6,5'],
  'Array.prototype.find': [() => [3, 4].find((value) => value > 3), '4'],
  'Array.prototype.some': [() => [[0].some((value) => value), [1].some((value) => value)], 'false,true'],
  'Array.prototype.every': [() => [[0].every((value) => value), [1].every((value) => value)], 'false,true'],
  'Array.prototype.forEach': [() => ((sum) => ([1, 2].forEach((value, i) => (sum += value * i)), sum))(0), '2'],
  'Array.prototype.includes': [() => [[NaN].includes(NaN), ['1'].includes(1 as never)], 'true,false'],
  'Array.prototype.concat': [() => [1].concat([2], 3), '1,2,3'],
  'Array.prototype.flatMap': [() => [1, 2].flatMap((value) => [value, [value]]).length, '4'],
  'Array.prototype.reverse': [() => [1, 2].reverse(), '2,1'],
  'Array.prototype.splice': [() => [1, 2, 3].splice(1, 1), '2'],
  'Array.prototype.sort': [() => [3, 1, 2].sort((a, b) => a - b), '1,2,3'],
  'Object.keys': [() => Object.keys({ a: 1, b: 2 }), 'a,b'],
  'Object.values': [() => Object.values({ a: 1, b: 2 }), '1,2'],
  'Object.entries': [() => Object.entries({ a: 1 }), 'a,1'],
  'Object.fromEntries': [() => Object.fromEntries([['a', 1]]).a, '1'],
  'Function.prototype.bind': [
    function give() {
      function sum(this: number[], a: number, b: number) {
        return this[0]! + a + b;
      }
      return sum.bind([1], 2)(3);
    },
    '6',
  ],
  'String.prototype.replace': [() => 'aba'.replace(/a/g, (found) => found + 1), 'a1ba1'],
  'String.prototype.startsWith': [() => ['ab'.startsWith('b'), 'ab'.endsWith('b')], 'false,true'],
  'JSON.stringify': [() => JSON.stringify({ a: [1, '2', new Date(0)] }), '{"a":[1,"2","1970-01-01T00:00:00.000Z"]}'],
  'JSON.parse': [() => JSON.parse('[1,{"a":2}]')[1].a, '2'],
};

function works([give, expected]: (typeof tries)[string]): boolean {
  try {
    return `${give()}` === expected;
  } catch {
    return false;
  }
}

/** The library that is known to replace built-ins, for the message. */
function library(): string {
  const { Prototype, MooTools } = globalThis as { Prototype?: { Version?: unknown }; MooTools?: { version?: unknown } };
  if (Prototype?.Version) return ` by Prototype.js ${String(Prototype.Version)}`;
  return MooTools?.version ? ` by MooTools ${String(MooTools.version)}` : '';
}

/**
 * Call this before anything is created with the built-ins.
 * @throws {FoveolaError} 'built-in-replaced'
 */
export function checkBuiltIns(): void {
  const broken: string[] = [];
  // A plain loop, because array methods may be among the replaced built-ins.
  for (const name in tries) if (!works(tries[name]!)) broken[broken.length] = name;
  if (!broken.length) return;
  throw new FoveolaError(
    'built-in-replaced',
    `This page has replaced ${broken.join(', ')}${library()} with incompatible code. Load foveola in a page or <iframe> without that library, or restore the built-in before you start an engine.`,
  );
}
