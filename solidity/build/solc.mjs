/** Runs the pinned compiler and names what its output only numbers. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export const compilerVersion = '0.8.26';

/** The settings every contract of this folder is compiled with, and that a submission must have to be recognised. */
export const settings = {
  evmVersion: 'cancun',
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  optimizer: { enabled: true, runs: 200 },
};

const codeOutputs = [
  'abi',
  'evm.bytecode.object',
  'evm.deployedBytecode.immutableReferences',
  'evm.deployedBytecode.object',
];

/** Standard JSON input of some sources, asking for code only: the form that is published and submitted. */
export const standardJsonInput = (sources) => ({
  language: 'Solidity',
  settings: { ...settings, outputSelection: { '*': { '*': codeOutputs } } },
  sources,
});

/** ABI type of a state variable from the compiler's type string: contracts are addresses, named values their base. */
function abiTypeOf(variable, userTypes) {
  const text = variable.typeDescriptions.typeString;
  if (/^contract |^address payable$/.test(text)) return 'address';
  return userTypes.get(variable.typeName?.referencedDeclaration) ?? text;
}

function* walk(node) {
  if (Array.isArray(node)) {
    for (const item of node) yield* walk(item);
  } else if (node !== null && typeof node === 'object') {
    if (typeof node.nodeType === 'string') yield node;
    for (const value of Object.values(node)) if (typeof value === 'object') yield* walk(value);
  }
}

/** A source that declares an immutable, or a type that one may have: of others no syntax tree is needed. */
const NAMES_IMMUTABLES = /\bimmutable\b|^\s*type\s+\w+\s+is\b/m;

/** Every immutable of a compilation by its syntax-tree id. */
function immutablesById(output) {
  const userTypes = new Map();
  const variables = [];
  for (const { ast } of Object.values(output.sources)) {
    if (ast === undefined) continue;
    for (const node of walk(ast)) {
      if (node.nodeType === 'UserDefinedValueTypeDefinition')
        userTypes.set(node.id, node.underlyingType.typeDescriptions.typeString);
      if (node.nodeType !== 'ContractDefinition') continue;
      for (const variable of node.nodes) {
        if (variable.nodeType === 'VariableDeclaration' && variable.mutability === 'immutable')
          variables.push([node.name, variable]);
      }
    }
  }
  return new Map(
    variables.map(([declaredIn, variable]) => [
      String(variable.id),
      { name: variable.name, declaredIn, type: abiTypeOf(variable, userTypes) },
    ]),
  );
}

function artifactOf(contract, path, compiled, named) {
  const { immutableReferences, object } = compiled.evm.deployedBytecode;
  const immutables = Object.entries(immutableReferences)
    .map(([id, places]) => {
      if (places.some((place) => place.length !== 32))
        throw new Error(`immutable ${id} of ${contract} is not one word`);
      if (!named.has(id)) throw new Error(`no syntax tree names immutable ${id} of ${contract}`);
      return { ...named.get(id), offsets: places.map((place) => place.start).sort((a, b) => a - b) };
    })
    .sort((a, b) => a.offsets[0] - b.offsets[0]);
  return {
    contract,
    path,
    abi: compiled.abi,
    creationCode: `0x${compiled.evm.bytecode.object}`,
    runtimeCode: `0x${object}`,
    immutableReferences,
    immutables,
  };
}

/**
 * Compiles sources with the pinned compiler and settings; an error anywhere or a warning in `src/` ends it.
 * @param wanted tells by a source's path whether its contracts are; of others the compiler makes no code but what these embed
 * @returns {object[]} artifacts of all contracts with code: creation code without constructor arguments, runtime code
 *   with zeros where immutables go, and each immutable's name, ABI type and byte offsets in the runtime (32 bytes each)
 */
export function compileSources(sources, wanted = () => true) {
  const solc = require(`solc-${compilerVersion}`);
  const input = standardJsonInput(sources);
  input.settings.outputSelection = Object.fromEntries(
    Object.entries(sources)
      .map(([path, { content }]) => [
        path,
        { ...(NAMES_IMMUTABLES.test(content) && { '': ['ast'] }), ...(wanted(path) && { '*': codeOutputs }) },
      ])
      .filter(([, outputs]) => Object.keys(outputs).length > 0),
  );
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  const faults = (output.errors ?? []).filter(
    (e) => e.severity === 'error' || (e.severity === 'warning' && e.sourceLocation?.file.startsWith('src/')),
  );
  if (faults.length > 0) throw new Error(faults.map((e) => e.formattedMessage).join('\n'));
  const named = immutablesById(output);
  return Object.entries(output.contracts ?? {}).flatMap(([path, contracts]) =>
    Object.entries(contracts)
      .filter(([, compiled]) => compiled.evm.deployedBytecode.object !== '')
      .map(([contract, compiled]) => artifactOf(contract, path, compiled, named)),
  );
}
