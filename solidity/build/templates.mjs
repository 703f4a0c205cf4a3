/** The reviewed template set by which the server recognises the combined project's economics. */
import { keccak256, size } from 'viem';
import { native20Sources } from './closure.mjs';
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

/**
 * Compiles the closure and describes both contracts with everything masked that a launch may choose.
 * The vault is made by the hook's constructor, at the hook's first CREATE nonce.
 */
export function deriveNative20Templates() {
  const artifacts = new Map(compileSources(native20Sources()).map((artifact) => [artifact.contract, artifact]));
  return {
    schemaVersion: 'service.economics-template-set.v1',
    recipe: { id: 'native20.combined', version: '1' },
    compilerVersion,
    settings,
    contracts: [
      template(artifacts.get('Native20'), { role: 'component', roleMask: 3 }),
      template(artifacts.get('FeeVault'), { role: 'child', roleMask: 16, parent: 'Native20', createNonce: 1 }),
    ],
  };
}
