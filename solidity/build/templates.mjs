/** The reviewed template sets by which the server recognises each recipe's economics. */
import { keccak256, size } from 'viem';
import { recipeSources } from './closure.mjs';
import { compileSources, compilerVersion, settings } from './solc.mjs';

const template = (artifact, role) => ({
  ...role,
  contract: artifact.contract,
  path: artifact.path,
  creationCodeHash: keccak256(artifact.creationCode),
  creationCodeLength: size(artifact.creationCode),
  runtimeLength: size(artifact.runtimeCode),
  // The compiler leaves zeros where immutables go, so its own runtime is the masked runtime. The file also has the bytes:
  // from them and the declared values anyone recomputes the exact runtime a launch must have.
  runtimeMaskedHash: keccak256(artifact.runtimeCode),
  runtimeMasked: artifact.runtimeCode,
  immutables: artifact.immutables.map(({ name, type, offsets }) => ({ name, type, offsets })),
  constructor: artifact.abi.find((entry) => entry.type === 'constructor').inputs,
});

/** The fee vault is made by the hook's constructor, at the hook's first CREATE nonce. */
const vaultOf = (hook) => ({ contract: 'FeeVault', role: 'child', roleMask: 16, parent: hook, createNonce: 1 });

/** Initializer, token and separate hook, in graph order. */
const inventoryContracts = [
  { contract: 'InventoryInitializer', role: 'component', roleMask: 4 },
  { contract: 'InventoryToken', role: 'component', roleMask: 1 },
  { contract: 'InventoryHook', role: 'component', roleMask: 2 },
  vaultOf('InventoryHook'),
];

/** Per template set its sources, its recipe's identity, and its contracts in graph order, children last. */
const plans = {
  native20: {
    closure: 'native20',
    recipe: { id: 'native20.combined', version: '1' },
    contracts: [{ contract: 'Native20', role: 'component', roleMask: 3 }, vaultOf('Native20')],
  },
  inventory: {
    closure: 'inventory',
    recipe: { id: 'inventory.funded', version: '3' },
    contracts: inventoryContracts,
  },
  // The same code with router V1 in its immutables: a recipe of its own, because what it binds is another.
  'native20-seed': {
    closure: 'inventory',
    recipe: { id: 'native20-seed', version: '1' },
    contracts: inventoryContracts,
  },
};

/** Artifacts by name, one compilation a closure. */
const compiled = new Map();
function artifactsOf(closure) {
  if (!compiled.has(closure)) {
    const artifacts = compileSources(recipeSources(closure));
    compiled.set(closure, new Map(artifacts.map((artifact) => [artifact.contract, artifact])));
  }
  return compiled.get(closure);
}

/**
 * Compiles a template set's closure and describes its contracts with everything masked that a launch may choose.
 * @param {keyof typeof plans} name
 */
export function deriveTemplates(name) {
  const { closure, recipe, contracts } = plans[name];
  const artifacts = artifactsOf(closure);
  return {
    schemaVersion: 'service.economics-template-set.v1',
    recipe,
    compilerVersion,
    settings,
    contracts: contracts.map(({ contract, ...role }) => template(artifacts.get(contract), role)),
  };
}
