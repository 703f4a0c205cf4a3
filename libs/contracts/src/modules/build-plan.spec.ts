import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sha256Digest } from '../primitives/digest.js';
import type { Sha256Digest } from '../primitives/scalars.schema.js';
import { buildPlanSchema, type BuildPlan } from './build-plan.schema.js';
import { planProblem, type PlannedSubmission } from './plan-problem.js';
import { ed25519KeyOf, reviewerPolicyOf } from './reviewer-policy.js';
import { standardJsonOf } from './standard-json.js';

const digest = (digit: string): Sha256Digest => `sha256:${digit.repeat(64)}`;
const PLAN: BuildPlan = {
  schemaVersion: 'service.modules.build-plan.v1',
  profile: 'service.native-solidity@1',
  reviewerPolicyDigest: digest('1'),
  submissionDigest: digest('2'),
  compilerVersion: '0.8.26',
  targets: [{ path: 'src/M.sol', contract: 'M' }],
  remappings: ['lib/=src/lib/'],
  settings: {
    optimizer: { enabled: true, runs: 200 },
    evmVersion: 'cancun',
    viaIR: false,
    metadata: { appendCBOR: true, bytecodeHash: 'ipfs' },
  },
  sources: [{ path: 'src/M.sol', sha256: digest('3') }],
  standardJsonInputSha256: digest('4'),
  limits: { cpuMs: 60_000, memoryPages: 8_192, outputBytes: 1_048_576 },
};
const places = (plan: unknown): string[] =>
  buildPlanSchema.safeParse(plan).error?.issues.map(({ path }) => path.join('/')) ?? [];

describe('A build plan', () => {
  it('is accepted in its form', () => expect(places(PLAN)).toEqual([]));

  it.each<[string, object, string]>([
    ['another profile', { profile: 'service.native-solidity@2' }, 'profile'],
    ['a path as compiler', { compilerVersion: '../solc-0.8.26' }, 'compilerVersion'],
    ['no target', { targets: [] }, 'targets'],
    ['a target twice', { targets: [PLAN.targets[0], PLAN.targets[0]] }, 'targets'],
    ['a source twice', { sources: [PLAN.sources[0], PLAN.sources[0]] }, 'sources'],
    ['a source above the root', { sources: [{ path: '../M.sol', sha256: digest('3') }] }, 'sources/0/path'],
    ['an absolute source', { sources: [{ path: '/etc/M.sol', sha256: digest('3') }] }, 'sources/0/path'],
    ['a remapping to a path above the root', { remappings: ['lib/=../'] }, 'remappings/0'],
    ['a remapping to an absolute path', { remappings: ['lib/=/usr/lib/'] }, 'remappings/0'],
    ['a remapping without a target', { remappings: ['lib/'] }, 'remappings/0'],
    ['more memory than any build gets', { limits: { ...PLAN.limits, memoryPages: 65_536 } }, 'limits/memoryPages'],
    ['a setting that reaches outside', { settings: { ...PLAN.settings, modelChecker: {} } }, 'settings'],
    ['an upload of its own', { standardJsonInput: '' }, ''],
  ])('A build plan with %s is refused.', (_what, given, place) =>
    expect(places({ ...PLAN, ...given })).toEqual([place]),
  );

  it('gives the same Standard JSON for every order of its texts, and another for another text', () => {
    const texts = [
      ['b.sol', 'contract B {}'],
      ['a.sol', 'contract A {}'],
    ] as const;
    const made = (list: readonly (readonly [string, string])[]): string =>
      sha256Digest(standardJsonOf(PLAN, new Map(list)));
    expect(made(texts)).toBe(made([...texts].reverse()));
    expect(made(texts)).not.toBe(made([texts[0]]));
    expect(JSON.parse(new TextDecoder().decode(standardJsonOf(PLAN, new Map(texts))))).toMatchObject({
      language: 'Solidity',
      sources: { 'a.sol': { content: 'contract A {}' } },
      settings: { remappings: ['lib/=src/lib/'], outputSelection: { 'src/M.sol': { M: expect.any(Array) } } },
    });
  });
});

const { publicKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const policy = {
  document: reviewerPolicyOf({
    reviewers: [`0x${'b'.repeat(40)}`, `0x${'a'.repeat(40)}`],
    workerPublicPem: publicKey,
    compilerVersions: ['0.8.26'],
  }),
  digest: digest('1'),
};
const SUBMISSION: PlannedSubmission = {
  requestDigest: digest('2'),
  files: [{ path: 'src/M.sol', sha256: digest('3'), byteCount: 4 * 1_024 * 1_024 }],
  encodedConfigurationBytes: 16_384,
};

describe('A build plan over a submission', () => {
  it.each<[string, Partial<BuildPlan>, Partial<PlannedSubmission>, [string, string] | null]>([
    ['that fits', {}, {}, null],
    ['of another policy', { reviewerPolicyDigest: digest('9') }, {}, ['PLAN_MISMATCH', '/reviewerPolicyDigest']],
    ['of another submission', { submissionDigest: digest('9') }, {}, ['PLAN_MISMATCH', '/submissionDigest']],
    ['with an unlisted compiler', { compilerVersion: '0.8.30' }, {}, ['PLAN_MISMATCH', '/compilerVersion']],
    [
      'with more output than the policy allows',
      { limits: { ...PLAN.limits, outputBytes: 32 * 1_024 * 1_024 } },
      {},
      ['PLAN_MISMATCH', '/limits/outputBytes'],
    ],
    [
      'with a file that is not in the submission',
      { sources: [...PLAN.sources, { path: 'src/N.sol', sha256: digest('5') }] },
      {},
      ['PLAN_MISMATCH', '/sources/1'],
    ],
    [
      'with another file of that path',
      { sources: [{ path: 'src/M.sol', sha256: digest('5') }] },
      {},
      ['PLAN_MISMATCH', '/sources/0'],
    ],
    [
      'with a target in no source',
      { targets: [{ path: 'src/N.sol', contract: 'N' }] },
      {},
      ['PLAN_MISMATCH', '/targets/0/path'],
    ],
    [
      'one byte larger than the profile allows',
      {},
      { files: [...SUBMISSION.files, { path: 'a', sha256: digest('6'), byteCount: 1 }] },
      ['MODULE_BUILD_PROFILE_CAPACITY_EXCEEDED', 'packagedBytes'],
    ],
    [
      'with a configuration larger than the profile allows',
      {},
      { encodedConfigurationBytes: 16_385 },
      ['MODULE_BUILD_PROFILE_CAPACITY_EXCEEDED', 'encodedConfigurationBytes'],
    ],
  ])('reports its one problem, or none, as a plan %s', (_what, plan, submission, expected) => {
    const problem = planProblem({ ...PLAN, ...plan }, policy, { ...SUBMISSION, ...submission });
    expect(problem && [problem.code, problem.place]).toEqual(expected);
  });
});

describe('A reviewer policy', () => {
  it('is the same document for every order of its reviewers and names the key’s 32 bytes', () => {
    expect(policy.document.reviewers).toEqual([`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`]);
    expect(policy.document.workerPublicKey).toMatch(/^ed25519:[0-9a-f]{64}$/);
  });

  it.each(['', 'ed25519', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n'])(
    'accepts no key but Ed25519: %j',
    (pem) => expect(() => ed25519KeyOf(pem)).toThrow(TypeError),
  );
});
