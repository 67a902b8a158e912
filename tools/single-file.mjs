// foveola.cdn.js: one classic script out of rollup's chunks (format cjs), each a function in a table. The worker needs
// most of what the page's own thread needs for its fallback; so the worker's text is not carried a second time but put
// together from the text of those same functions, at run time: nothing is evaluated from strings on the page.
//
// The module that stands for the worker's text reads the free variable below.
export const workerTextName = '__foveolaWorkerText';

/** Chunks that `entry` reaches, statically or by import(). */
function reachable(chunks, entry) {
  const names = new Set();
  const visit = (name) => {
    if (names.has(name)) return;
    const chunk = chunks.find(({ fileName }) => fileName === name);
    if (!chunk) throw new Error(`${name} is imported but was not built`);
    names.add(name);
    [...chunk.imports, ...chunk.dynamicImports].forEach(visit);
  };
  visit(entry);
  return [...names].sort();
}

/**
 * @param chunks      rollup's output, format cjs, all in one folder
 * @param page        file name of the entry whose exports become the global `name`
 * @param worker      file name of the worker's entry
 */
export function singleFile({ chunks, page, worker, name }) {
  const list = reachable(chunks, page);
  const workerList = reachable(chunks, worker);
  const all = [...new Set([...list, ...workerList])].sort();
  const number = (fileName) => all.indexOf(fileName);
  const table = all.map((fileName) => {
    const { code } = chunks.find((chunk) => chunk.fileName === fileName);
    const numbered = code.replace(/\brequire\(['"]\.\/([^'"]+)['"]\)/g, (_, target) => {
      if (!all.includes(target)) throw new Error(`${fileName} asks for ${target}, which was not built`);
      return `require(${number(target)})`;
    });
    if (/\brequire\((?!\d)/.test(numbered)) throw new Error(`${fileName} asks for something outside of the bundle`);
    return `function (exports, require) {\n${numbered}\n}`;
  });
  // A page may have the files of two elements: each adds to what is there.
  return `var ${name} = Object.assign(typeof ${name} === 'object' && ${name} ? ${name} : {}, (function () {
  'use strict';
  var modules = [${table.join(',\n')}];
  function start(modules, entry) {
    var done = {};
    function require(index) {
      if (!done[index]) modules[index]((done[index] = {}), require);
      return done[index];
    }
    return require(entry);
  }
  var inWorker = [${workerList.map(number).join(', ')}];
  var ${workerTextName} = function () {
    var texts = modules.map(function (module, index) { return inWorker.indexOf(index) < 0 ? '0' : String(module); });
    return '"use strict";(' + start + ')([' + texts.join(',') + '],${number(worker)})';
  };
  // The script is its own worker: there is no document there.
  return start(modules, typeof document === 'undefined' ? ${number(worker)} : ${number(page)});
})());
`;
}
