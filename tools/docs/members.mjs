// Signatures and doc comments of the engine, its trackers and the functions around them, read by the TypeScript compiler from
// the sources, so that a page of the site cannot show an old one.
import path from 'node:path';
import ts from 'typescript';
import { root } from '../setup.mjs';

const entries = ['src/index.ts', 'src/node/index.ts'];
const { NoTruncation, UseAliasDefinedOutsideCurrentScope } = ts.TypeFormatFlags;
const textOf = (parts) => ts.displayPartsToString(parts);
const WIDE = 100;

/** Types whose names say nothing to a reader: their properties are shown instead. */
const helpers = ['Given', 'Partial', 'Required', 'Omit', 'Pick', 'NonNullable'];

function programOf(files) {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files, include: undefined }, ts.sys, root);
  return ts.createProgram(files, { ...options, noEmit: true, types: [] });
}

/** `a | undefined` of an optional name is `a`. */
const without = (text) => text.replace(/ \| undefined$/, '');

/** How types are written. `parameter` has the properties of options in addition. */
function createPrinter(checker) {
  const named = (type) =>
    checker
      .typeToString(type, undefined, NoTruncation | UseAliasDefinedOutsideCurrentScope)
      .replace(/<ArrayBuffer(?:Like)?>/g, '');
  /** The words of a choice, whose type may have a name. */
  const choices = (type) => {
    const words = (type.types ?? []).filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    return words.length && words.every((one) => one.isStringLiteral()) ? words.map(named).join(' | ') : null;
  };
  const propertiesOf = (type) =>
    checker.getPropertiesOfType(type).map((property) => ({
      name: property.name,
      optional: (property.flags & ts.SymbolFlags.Optional) !== 0,
      type: without(choices(checker.getTypeOfSymbol(property)) ?? named(checker.getTypeOfSymbol(property))),
      text: textOf(property.getDocumentationComment(checker)),
    }));
  const anonymous = (type) =>
    type.isIntersection()
      ? !type.aliasSymbol
      : helpers.includes(type.aliasSymbol?.name) || type.symbol?.name === '__type';
  const isOptions = (name) => ['options', 'parameters'].includes(name);
  return {
    named,
    parameter(name, type) {
      const object = checker.getNonNullableType(type);
      const own = isOptions(name) && !object.isUnion() ? propertiesOf(object) : [];
      return { text: without(named(type)), options: own, spelled: isOptions(name) && anonymous(object) };
    },
  };
}

const literal = (all) => all.map(({ name, optional, type }) => `${name}${optional ? '?' : ''}: ${type}`).join('; ');
/** Options in braces. Of a further form of a call, only those that differ from the first form. */
function spelledOut(own, first) {
  const other = own.filter(
    ({ name, optional, type }) => first.get(name)?.type !== type || first.get(name).optional !== optional,
  );
  return other.length < own.length ? `{ …; ${literal(other)} }` : `{ ${literal(own)} }`;
}

/** [{ name, optional, type }] of a call, where the elements of a tuple are parameters, too. */
function parametersOf(call, checker) {
  const node = checker.signatureToSignatureDeclaration(call, ts.SyntaxKind.MethodSignature, undefined, ts.NodeBuilderFlags.NoTruncation); // prettier-ignore
  const optional = (name) => !!node.parameters.find((one) => one.name.text === name)?.questionToken;
  return call.parameters.flatMap((parameter) => {
    const { name } = parameter;
    const type = checker.getTypeOfSymbol(parameter);
    if (!parameter.valueDeclaration?.dotDotDotToken || !checker.isTupleType(type)) return { name, optional: optional(name), type }; // prettier-ignore
    const { labeledElementDeclarations: labels, elementFlags } = type.target;
    return checker.getTypeArguments(type).map((element, k) => ({
      name: labels[k].name.text,
      optional: (elementFlags[k] & ts.ElementFlags.Optional) !== 0,
      type: element,
    }));
  });
}

const linesOf = (literal) => literal.slice(2, -2).replace(/;$/, '').split(/; (?=\w+\??: )/).map(without); // prettier-ignore
/** A call on one line if it fits, otherwise a line for each parameter and for each property of a long one. */
function broken(name, parts, result) {
  const line = `${name}(${parts.map(({ label, text }) => `${label}: ${text}`).join(', ')}): ${result}`;
  if (line.length <= WIDE) return line;
  const spread = ({ label, text }) =>
    text.startsWith('{ ') && label.length + text.length > WIDE - 4
      ? `  ${label}: {\n${linesOf(text).map((one) => `    ${one};\n`).join('')}  },\n` // prettier-ignore
      : `  ${label}: ${text},\n`;
  return `${name}(\n${parts.map(spread).join('')}): ${result}`;
}

function describe(symbol, checker, printer) {
  const type = checker.getTypeOfSymbol(symbol);
  const calls = [...type.getCallSignatures()];
  const options = new Map();
  // The usual form of a call is declared last.
  const signatures = calls.reverse().map((call) => {
    const first = new Map(options);
    const parts = parametersOf(call, checker).map(({ name, optional, type: given }) => {
      const { text, options: own, spelled } = printer.parameter(name, given);
      for (const one of own) if (!options.has(one.name)) options.set(one.name, one);
      return { label: `${name}${optional ? '?' : ''}`, text: spelled ? spelledOut(own, first) : text };
    });
    return broken(symbol.name, parts, printer.named(call.getReturnType()));
  });
  return {
    name: symbol.name,
    text: textOf(symbol.getDocumentationComment(checker)),
    tags: symbol.getJsDocTags(checker).map(({ name, text }) => [name, textOf(text ?? [])]),
    signatures: signatures.length ? signatures : [`${symbol.name}: ${printer.named(type)}`],
    options: [...options.values()],
    called: calls.length > 0,
  };
}

/**
 * @returns { namesOf(type), member(name) }; member: 'Engine.load' or 'createEngine' to
 *   { name, text, tags: [[name, text]], signatures, options: [{ name, type, optional, text }], called }
 */
export function readMembers() {
  const program = programOf(entries.map((file) => path.join(root, file)));
  const checker = program.getTypeChecker();
  const exported = new Map();
  for (const file of entries)
    for (const symbol of checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path.join(root, file)))))
      if (!exported.has(symbol.name)) exported.set(symbol.name, symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol); // prettier-ignore
  const printer = createPrinter(checker);
  const symbolOf = (name) => {
    if (!exported.has(name)) throw new Error(`The library exports no '${name}'.`);
    return exported.get(name);
  };
  const propertiesOf = (type) =>
    checker
      .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbolOf(type)))
      .filter(({ name }) => !/^(__|#)/.test(name));
  return {
    namesOf: (type) => propertiesOf(type).map(({ name }) => name),
    member(name) {
      const [type, property] = name.split('.');
      if (!property) return describe(symbolOf(type), checker, printer);
      const found = propertiesOf(type).find((one) => one.name === property);
      if (!found) throw new Error(`'${type}' has no '${property}'.`);
      return describe(found, checker, printer);
    },
  };
}
