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
  // The compiler leaves zeros where immutables go, so its own runtime is the masked runtime. The bytes stand here too:
  // from them and the declared values anybody recomputes the exact runtime a launch must have.
  runtimeMaskedHash: keccak256(artifact.runtimeCode),
  runtimeMasked: artifact.runtimeCode,
  immutables: artifact.immutables.map(({ name, type, offsets }) => ({ name, type, offsets })),
  constructor: artifact.abi.find((entry) => entry.type === 'constructor').inputs,
});

/** The fee vault is made by the hook's constructor, at the hook's first CREATE nonce. */
const vaultOf = (hook) => ({ contract: 'FeeVault', role: 'child', roleMask: 16, parent: hook, createNonce: 1 });

/** Per recipe its identity and its contracts in graph order, children last. */
const plans = {
  native20: {
    recipe: { id: 'native20.combined', version: '1' },
    contracts: [{ contract: 'Native20', role: 'component', roleMask: 3 }, vaultOf('Native20')],
  },
  inventory: {
    recipe: { id: 'inventory.funded', version: '3' },
    contracts: [
      { contract: 'InventoryInitializer', role: 'component', roleMask: 4 },
      { contract: 'InventoryToken', role: 'component', roleMask: 1 },
      { contract: 'InventoryHook', role: 'component', roleMask: 2 },
      vaultOf('InventoryHook'),
    ],
  },
};

/**
 * Compiles a recipe's closure and describes its contracts with everything masked that a launch may choose.
 * @param {import('./closure.mjs').Recipe} name
 */
export function deriveTemplates(name) {
  const artifacts = new Map(compileSources(recipeSources(name)).map((artifact) => [artifact.contract, artifact]));
  const { recipe, contracts } = plans[name];
  return {
    schemaVersion: 'service.economics-template-set.v1',
    recipe,
    compilerVersion,
    settings,
    contracts: contracts.map(({ contract, ...role }) => template(artifacts.get(contract), role)),
  };
}
