/**
 * Writes the types of a library's entry as one declaration file without imports: the declarations that its exports need, of every
 * project, each once. Types that a schema infers are written out, so a package needs no schema library for them.
 */
import ts from 'typescript';

const WRITTEN_OUT =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.InTypeAlias |
  ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType |
  ts.TypeFormatFlags.WriteArrayAsGenericType;
const OF_SCHEMAS = /[/\\]node_modules[/\\]zod[/\\]/;
/** Declarations that every reader of the types has. */
const isGlobal = (file) => /[/\\](typescript[/\\]lib|@types|undici-types)[/\\]/.test(file);

/**
 * @param {string} repository root of the tree, with the built declarations of each project
 * @param {readonly string[]} entries the declaration file of each entry
 * @returns {string[]} the text of each bundled declaration file
 */
export function bundleDeclarations(repository, entries) {
  const program = ts.createProgram(entries, {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [`${repository}/node_modules/@types`],
  });
  return entries.map((entry) => bundleEntry(program, entry));
}

function bundleEntry(program, entry) {
  const checker = program.getTypeChecker();
  const moduleSymbol = checker.getSymbolAtLocation(program.getSourceFile(entry));
  const resolved = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
  /** A place from which no module's names are in scope. */
  const outside = program.getSourceFiles().find((file) => program.isSourceFileDefaultLibrary(file));

  const names = new Map();
  const taken = new Map();
  const queue = [];
  /** Types of Node's own modules, by name. */
  const builtins = new Map();
  /** Returns the name of a declaration in the result, and has it written. */
  const nameOf = (symbol, wanted = symbol.name) => {
    if (!names.has(symbol)) {
      let name = wanted;
      for (let copy = 2; taken.has(name); copy += 1) name = `${wanted}_${copy}`;
      names.set(symbol, name);
      taken.set(name, symbol);
      queue.push(symbol);
    }
    return names.get(symbol);
  };

  const exported = checker
    .getExportsOfModule(moduleSymbol)
    .map((symbol) => [symbol.name, resolved(symbol)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, symbol] of exported) nameOf(symbol, name);

  const written = [];
  while (queue.length > 0) {
    const symbol = queue.shift();
    for (const declaration of symbol.declarations ?? []) {
      const text = textOf(symbol, declaration);
      if (text !== null) written.push(text);
    }
  }
  const list = exported.map(([name, symbol]) =>
    names.get(symbol) === name ? name : `${names.get(symbol)} as ${name}`,
  );
  const imports = [...builtins].sort().map(([name, from]) => `import type { ${name} } from ${from};\n`);
  return `${imports.join('')}${written.join('\n')}\nexport { ${list.join(', ')} };\n`;

  function textOf(symbol, declaration) {
    const name = names.get(symbol);
    const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
    const comment = commentOf(statement);
    if (ts.isTypeAliasDeclaration(declaration) && needsWritingOut(declaration)) {
      const type = checker.getTypeAtLocation(declaration);
      return `${comment}type ${name} = ${withRecursive(checker.typeToString(type, outside, WRITTEN_OUT))};`;
    }
    if (ts.isVariableDeclaration(declaration)) return `${comment}declare const ${renamed(declaration, name)};`;
    const text = renamed(declaration, name)
      .replace(/^export /, '')
      .replace(/^default /, '');
    const isAmbient = /^(declare|type|interface)\b/.test(text);
    return `${comment}${isAmbient ? text : `declare ${text}`}`;
  }

  /** Has the types written that a type written out still names, because they are recursive. */
  function withRecursive(text) {
    return text.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\b[A-Z]\w*/g, (word) => {
      if (/^['"]/.test(word)) return word;
      if (checker.resolveName(word, outside, ts.SymbolFlags.Type, false) !== undefined) return word;
      const symbol = program
        .getSourceFiles()
        .map((file) => file.locals?.get(word))
        .find((found) => found !== undefined && found.flags & ts.SymbolFlags.Type);
      return symbol === undefined ? word : nameOf(symbol);
    });
  }

  function commentOf(statement) {
    const [comment] = ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc);
    return comment === undefined ? '' : `${comment.getText()}\n`;
  }

  /** Whether an alias is inferred: from a value, or by the schema library. */
  function needsWritingOut(declaration) {
    let found = false;
    const visit = (node) => {
      if (ts.isTypeQueryNode(node)) found = true;
      const at = ts.isTypeReferenceNode(node) ? node.typeName : null;
      const symbol = at === null ? undefined : checker.getSymbolAtLocation(at);
      if (symbol !== undefined && isOfSchemas(resolved(symbol))) found = true;
      ts.forEachChild(node, visit);
    };
    visit(declaration.type);
    return found && (declaration.typeParameters ?? []).length === 0;
  }

  function isOfSchemas(symbol) {
    return OF_SCHEMAS.test(symbol.declarations?.[0]?.getSourceFile().fileName ?? '');
  }

  /** Returns a node's text with the names of the result. */
  function renamed(node, own) {
    const file = node.getSourceFile();
    const start = node.getStart(file);
    const changes = [];
    const visit = (at) => {
      if (ts.isImportTypeNode(at) && at.qualifier !== undefined) {
        const symbol = resolved(
          checker.getSymbolAtLocation(ts.isQualifiedName(at.qualifier) ? at.qualifier.right : at.qualifier),
        );
        const end = at.qualifier.getEnd();
        changes.push([at.getStart(file), end, `${at.isTypeOf ? 'typeof ' : ''}${nameOf(symbol)}`]);
        at.typeArguments?.forEach(visit);
        return;
      }
      if (ts.isIdentifier(at)) {
        const name = at === node.name && own !== undefined ? own : referenceOf(at);
        if (name !== null && name !== at.text) changes.push([at.getStart(file), at.getEnd(), name]);
        return;
      }
      ts.forEachChild(at, visit);
    };
    visit(node);
    let text = node.getText(file);
    for (const [from, to, name] of changes.sort(([a], [b]) => b - a))
      text = text.slice(0, from - start) + name + text.slice(to - start);
    return text;
  }

  /** Returns the name of the declaration that an identifier refers to; null for globals, members and parameters. */
  function referenceOf(identifier) {
    const { parent } = identifier;
    const isReference =
      (ts.isTypeReferenceNode(parent) && parent.typeName === identifier) ||
      (ts.isExpressionWithTypeArguments(parent) && parent.expression === identifier) ||
      (ts.isTypeQueryNode(parent) && parent.exprName === identifier) ||
      (ts.isComputedPropertyName(parent) && parent.expression === identifier) ||
      (ts.isQualifiedName(parent) && parent.left === identifier);
    if (!isReference) return null;
    const symbol = checker.getSymbolAtLocation(identifier);
    if (symbol === undefined) return null;
    const target = resolved(symbol);
    const declaration = target.declarations?.[0];
    if (declaration === undefined || ts.isTypeParameterDeclaration(declaration)) return null;
    const file = declaration.getSourceFile();
    const { parent: module } = target;
    // Node's modules are declared as values of their names.
    if (module !== undefined && /^"(node:)?[\w/]+"$/.test(module.name) && isGlobal(file.fileName)) {
      builtins.set(target.name, module.name.replaceAll('"', "'"));
      return target.name;
    }
    if (isGlobal(file.fileName) || program.isSourceFileDefaultLibrary(file)) return null;
    return ts.isExternalModule(file) ? nameOf(target) : null;
  }
}
