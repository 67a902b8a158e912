// Stand-ins for what old libraries do to built-ins, written for these tests. Each returns what puts the built-in back. They
// are self-contained functions, so that a page can run their text.

/** Puts a property in place of another; `enumerable` as an assignment would leave it. */
function put(object, name, value) {
  const before = Object.getOwnPropertyDescriptor(object, name);
  object[name] = value;
  return () => (before ? Object.defineProperty(object, name, before) : delete object[name]);
}

const toList = (given) => {
  if (!given) return [];
  const list = [];
  for (let i = (given.length ?? 0) - 1; i >= 0; i--) list[i] = given[i];
  return list;
};

/** By the name of the built-in. */
export const replaced = {
  'Array.from (ignores its second argument)': () => put(Array, 'from', toList),
  'Array.from (wraps what is no list)': () => put(Array, 'from', (given) => (given?.length === undefined ? [given] : toList(given))), // prettier-ignore
  'Array.prototype.entries': () => put(Array.prototype, 'entries', function entries() { return toList(this); }), // prettier-ignore
  'Array.prototype.map': () =>
    put(Array.prototype, 'map', function map(call) {
      const list = [];
      for (let i = 0; i < this.length; i++) list[i] = call(this[i]);
      return list;
    }),
  'Array.prototype.reduce': () => put(Array.prototype, 'reduce', function reduce() { return this.length > 1 ? this : this[0]; }), // prettier-ignore
  'Function.prototype.bind': () =>
    put(Function.prototype, 'bind', function bind(owner) {
      return (...given) => this.apply(owner, given);
    }),
  'JSON.stringify (lists have a toJSON)': () => put(Array.prototype, 'toJSON', function toJSON() { return `[${toList(this)}]`; }), // prettier-ignore
};

const all =
  (...restores) =>
  () =>
    restores.reverse().forEach((restore) => restore());

/** By the name of the library. */
export const libraries = {
  'Prototype\\.js 1\\.6': () =>
    all(
      put(globalThis, 'Prototype', { Version: '1.6' }),
      replaced['Array.from (ignores its second argument)'](),
      replaced['Array.prototype.entries'](),
      replaced['Function.prototype.bind'](),
      replaced['JSON.stringify (lists have a toJSON)'](),
    ),
  'MooTools 1\\.4': () =>
    all(put(globalThis, 'MooTools', { version: '1.4' }), replaced['Array.from (wraps what is no list)']()),
};
