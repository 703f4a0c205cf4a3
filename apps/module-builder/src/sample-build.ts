import { standardJsonOf, type BuildPlan } from '@launch/contracts/modules';
import { canonicalSha256, sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { BuildError } from './build.error.js';
import { compileTwice, type CompileOnce } from './compile-twice.js';

const PATH = 'Sample.sol';
const TEXT = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

contract Sample {
    uint256 public immutable start;
    mapping(address => uint256) public seen;

    constructor(uint256 start_) {
        start = start_;
    }

    function see() external returns (uint256) {
        return seen[msg.sender] = start + block.number;
    }
}
`;

/** SHA-256 of the sample's artifact, which solc 0.8.26 alone determines. */
export const SAMPLE_ARTIFACT_SHA256: Sha256Digest =
  'sha256:aac9b2e26e62b285fe798e2cefba3808a2c633020c5bfd852c5a973296341f74';

/** Returns the plan of the pinned sample, which belongs to no submission. */
function samplePlan(): { plan: BuildPlan; texts: ReadonlyMap<string, string> } {
  const texts = new Map([[PATH, TEXT]]);
  const nothing = canonicalSha256(null);
  const compiled = {
    compilerVersion: '0.8.26',
    targets: [{ path: PATH, contract: 'Sample' }],
    remappings: [],
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'cancun',
      viaIR: false,
      metadata: { appendCBOR: true, bytecodeHash: 'ipfs' },
    },
  } as const satisfies Partial<BuildPlan>;
  const mutable = structuredClone(compiled) as unknown as Pick<BuildPlan, keyof typeof compiled>;
  return {
    texts,
    plan: {
      schemaVersion: 'service.modules.build-plan.v1',
      profile: 'service.native-solidity@1',
      reviewerPolicyDigest: nothing,
      submissionDigest: nothing,
      ...mutable,
      sources: [{ path: PATH, sha256: sha256Digest(new TextEncoder().encode(TEXT)) }],
      standardJsonInputSha256: sha256Digest(standardJsonOf(mutable, texts)),
      limits: { cpuMs: 60_000, memoryPages: 8_192, outputBytes: 1_048_576 },
    },
  };
}

/**
 * Compiles the pinned sample like a module.
 * @returns the digest of its artifact.
 * @throws BuildError `BUILDER_UNPROVEN` if it is not the pinned one.
 */
export async function buildSample(signal: AbortSignal, compile?: CompileOnce): Promise<Sha256Digest> {
  const { plan, texts } = samplePlan();
  const compiled = await compileTwice(plan, texts, signal, compile);
  if (compiled.kind === 'failure')
    throw new BuildError('BUILDER_UNPROVEN', `the sample does not build: ${compiled.code}`);
  const digest = sha256Digest(compiled.bytes);
  if (digest !== SAMPLE_ARTIFACT_SHA256) {
    throw new BuildError('BUILDER_UNPROVEN', `the sample gives ${digest}, not ${SAMPLE_ARTIFACT_SHA256}`);
  }
  return digest;
}
