import { gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  type AnyFinalityStatus,
  type AnyFinalizedRecord,
  type Capabilities,
  capabilitiesSchema,
  DERIVED_CONTRACT_FINALITY_V3,
  finalityEvidenceSchema,
  finalityStatusSchema,
  finalityStatusV3Schema,
  finalizedListSchema,
  finalizedRecordSchema,
  finalizedRecordV3Schema,
  launchListSchema,
  type LaunchResource,
  launchResourceSchema,
  type PreflightResult,
  preflightResultSchema,
  type TransactionHintReceipt,
  transactionHintReceiptV3Schema,
} from '@launch/contracts/multi-role';
import { createdAddress } from './created-address.js';
import { recordedAnswer } from '../fixtures/recorded-answers.fixture.js';
import { bindingCase, untestedMembers } from '../fixtures/bound-members.fixture.js';
import {
  CAPABILITIES_MEMBERS,
  EVIDENCE_MEMBERS,
  faultsOf,
  FINALIZED_LIST_MEMBERS,
  FINALIZED_RECORD_MEMBERS,
  HINT_RECEIPT_MEMBERS,
  MULTI_ROLE_FINALITY_MEMBERS,
  MULTI_ROLE_LAUNCH_MEMBERS,
  MULTI_ROLE_LIST_MEMBERS,
  MULTI_ROLE_PREFLIGHT_MEMBERS,
  type SentMultiRole,
} from './index.js';

const LAUNCH = recordedAnswer<LaunchResource>('getLaunch');
const RECORD = recordedAnswer<AnyFinalizedRecord>('getFinalized');
const PREFLIGHT = recordedAnswer<PreflightResult>('preflight');
const { launchId, onchainLaunchId, contextHash, requestSha256, requestHash, idempotencyKey } = LAUNCH;
const SENT: SentMultiRole = {
  requestSha256,
  requestHash,
  request: {
    launchWallet: LAUNCH.launchWallet,
    nonce: LAUNCH.nonce,
    permitWindow: LAUNCH.permitWindow,
    contextCommitments: { contextHash } as never,
    funding: { totalValueWei: LAUNCH.wallet!.walletTransaction.value } as never,
  },
};
const subject = { launchId, onchainLaunchId, contextHash, idempotencyKey, sent: SENT };

const FINALITY = recordedAnswer<AnyFinalityStatus>('getFinality');
const PARENT = `0x${'4'.repeat(40)}`;
const CODE_HASH = `0x${'5'.repeat(64)}`;
const FINALITY_V3 = {
  ...FINALITY,
  schemaVersion: 'service.multi-role-finality-status.v3',
  policy: 'service.derived-contract-finality.v3',
  contextHash,
  onchainLaunchId,
  nextStage: null,
  derivedContracts: [1, 2].map((creationNonce, resultIndex) => ({
    account: createdAddress(PARENT, creationNonce),
    roleMask: 0,
    runtimeCodeHash: CODE_HASH,
    resultIndex,
    parent: PARENT,
    creationNonce,
    proof: {
      blockNumber: FINALITY.inclusion!.blockNumber,
      blockHash: FINALITY.inclusion!.blockHash,
      runtimeCodeHash: CODE_HASH,
      componentProof: CODE_HASH,
      codeBefore: 'none',
      observers: FINALITY.inclusion!.observers,
    },
  })),
} as unknown as AnyFinalityStatus;
const HINT_RECEIPT = transactionHintReceiptV3Schema.parse({
  ...recordedAnswer<TransactionHintReceipt>('registerTransactionHint', 202),
  contextHash,
  schemaVersion: 'service.multi-role-transaction-hint-receipt.v3',
  statusUrl: `${recordedAnswer<TransactionHintReceipt>('registerTransactionHint', 202).statusUrl}-v3`,
});
const evidence = finalityEvidenceSchema.parse(
  JSON.parse(
    gunzipSync(
      readFileSync(new URL('../../../verify/testdata/finalized-launch/evidence.json.gz', import.meta.url)),
    ).toString(),
  ),
);
/** The binding compares the parts of a bundle, not its exchanges and proofs. */
const bundle = { ...evidence, exchanges: [], proofs: {} } as unknown as typeof evidence;
const bundleSchema = finalityEvidenceSchema.pick({
  launch: true,
  context: true,
  handoff: true,
  finalityPolicyId: true,
});

const { wallet: _wallet, ...listed } = LAUNCH;
const item = {
  ...listed,
  schemaVersion: 'service.multi-role-launch-list-item.v2' as const,
  handoffUrl: LAUNCH.statusUrl,
};
const older = {
  ...item,
  handoffUrl: null,
  launchId: launchId.replace(/.$/, '1'),
  createdAt: '2026-01-01T00:00:00.000Z',
  launchUrl: LAUNCH.launchUrl!.replace(/.$/, '1'),
  walletUrl: LAUNCH.walletUrl!.replace(/.$/, '1'),
  statusUrl: LAUNCH.statusUrl.replace(/.$/, '1'),
  finality: { ...LAUNCH.finality, launchId: launchId.replace(/.$/, '1') },
};

/** Members that only finality and records of generation V3 have. */
const OF_V3 = /^\/finality\/(contextHash|onchainLaunchId|nextStage|derivedContracts)|^\/components/;
const { documentation } = recordedAnswer<Capabilities>('getCapabilities');
/** The capabilities of a service that publishes every file. */
const CAPABILITIES: Capabilities = {
  ...recordedAnswer<Capabilities>('getCapabilities'),
  documentation: {
    referenceBuilder: documentation.guide,
    inventoryBuilder: documentation.guide,
    inventoryProjects: documentation.guide,
    inventoryBuildManifest: documentation.guide,
    ...documentation,
  },
};
const { provenance, components } = RECORD;
const RECORD_V3 = finalizedRecordV3Schema.parse({
  ...RECORD,
  schemaVersion: 'service.multi-role-finalized-metadata.v3',
  derivedContractFinality: DERIVED_CONTRACT_FINALITY_V3,
  image: { ...RECORD.image, path: RECORD.image.path.replace('/finalized/', '/finalized-v3/') },
  components: components.map((one) => {
    const parent = components[0]!.account;
    const derivation = { status: 'verified', parent, creationNonce: 1, observedAt: provenance.l2Block };
    return one.scope === 1 ? { ...one, account: createdAddress(parent, 1), derivation } : { ...one, derivation: null };
  }),
});

describe('Each bound member', () => {
  it.each([
    [
      'a launch',
      bindingCase(
        MULTI_ROLE_LAUNCH_MEMBERS.filter(({ path }) => !OF_V3.test(path) && path !== '/status'),
        { ...LAUNCH, finality: { ...FINALITY, launchId } },
        subject,
        launchResourceSchema,
      ),
    ],
    [
      'a launch of finality V3',
      bindingCase(
        MULTI_ROLE_LAUNCH_MEMBERS.filter(({ path }) => OF_V3.test(path)),
        { ...LAUNCH, finality: { ...FINALITY_V3, launchId } },
        subject,
        launchResourceSchema,
      ),
    ],
    [
      'a finality status',
      bindingCase(
        MULTI_ROLE_FINALITY_MEMBERS.filter(({ path }) => !OF_V3.test(`/finality${path}`)),
        FINALITY,
        { launchId: FINALITY.launchId },
        finalityStatusSchema,
      ),
    ],
    [
      'a finality status of V3',
      bindingCase(
        MULTI_ROLE_FINALITY_MEMBERS,
        FINALITY_V3,
        { launchId: FINALITY.launchId, contextHash, onchainLaunchId },
        finalityStatusV3Schema,
      ),
    ],
    [
      'a preflight',
      bindingCase(
        MULTI_ROLE_PREFLIGHT_MEMBERS,
        PREFLIGHT,
        { ...SENT, requestHash: PREFLIGHT.requestHash },
        preflightResultSchema,
      ),
    ],
    [
      "a hint's receipt",
      bindingCase(
        HINT_RECEIPT_MEMBERS,
        HINT_RECEIPT,
        { launchId: HINT_RECEIPT.launchId, transactionHash: HINT_RECEIPT.transactionHash, contextHash },
        transactionHintReceiptV3Schema,
      ),
    ],
    [
      'an evidence bundle',
      bindingCase(
        EVIDENCE_MEMBERS,
        bundle,
        { launchId: bundle.launch.launchId, onchainLaunchId: bundle.launch.onchainLaunchId },
        bundleSchema.loose(),
      ),
    ],
    [
      'a public record',
      bindingCase(
        FINALIZED_RECORD_MEMBERS.filter(({ path }) => !OF_V3.test(path)),
        RECORD,
        {
          launchId: RECORD.apiLaunchId,
          onchainLaunchId: RECORD.onchainLaunchId,
          contextHash: RECORD.provenance.contextHash,
        },
        finalizedRecordSchema,
      ),
    ],
    [
      'a public record of V3',
      bindingCase(
        FINALIZED_RECORD_MEMBERS,
        RECORD_V3,
        {
          launchId: RECORD.apiLaunchId,
          onchainLaunchId: RECORD.onchainLaunchId,
          contextHash: RECORD.provenance.contextHash,
        },
        finalizedRecordV3Schema,
      ),
    ],
    ['the capabilities', bindingCase(CAPABILITIES_MEMBERS, CAPABILITIES, undefined, capabilitiesSchema)],
  ])('refuses another value in its place in %s, which is otherwise accepted', (_name, one) => {
    expect(untestedMembers(one)).toEqual({ faults: [], untested: [] });
  });

  it('refuses a finalized state whose transaction reverted, and a finalized launch in another state', () => {
    const reverted = { ...FINALITY, inclusion: { ...FINALITY.inclusion!, receiptStatus: 'reverted' as const } };
    expect(reverted.state).toBe('ethereum_finalized');
    expect(faultsOf(MULTI_ROLE_FINALITY_MEMBERS, reverted, {})).toEqual(['/inclusion/receiptStatus']);
    const final = { ...LAUNCH, status: 'finalized' as const, finality: { ...FINALITY, launchId } };
    expect(faultsOf(MULTI_ROLE_LAUNCH_MEMBERS, final, subject)).toEqual([]);
    const pending = { ...LAUNCH, status: 'finalized' as const };
    expect(faultsOf(MULTI_ROLE_LAUNCH_MEMBERS, pending, subject)).toEqual(['/status']);
  });

  it('refuses another value in its place in a page of launches and of the public feed, as far as a page determines its items', () => {
    const launches = bindingCase(
      MULTI_ROLE_LIST_MEMBERS,
      { schemaVersion: 'service.multi-role-launch-list.v2' as const, items: [item, older], nextCursor: 'next' },
      { limit: 2, cursor: 'sent' },
      launchListSchema,
      [
        ['/items', [item, older, older]],
        ['/items/0/status', 'finalized'],
        ['/nextCursor', 'sent'],
      ],
    );
    const page = untestedMembers(launches);
    expect(page.faults).toEqual([]);
    const untested = page.untested.map((path) => path.replace('/items/*', ''));
    expect(untested.filter((path) => !OF_V3.test(path))).toEqual([
      '/requestSha256',
      '/requestHash',
      '/idempotencyKey',
      '/launchWallet',
      '/nonce',
      '/permitWindow/validAfter',
      '/permitWindow/deadline',
      '/onchainLaunchId',
      '/finality/inclusion/receiptStatus',
    ]);

    const records = bindingCase(
      FINALIZED_LIST_MEMBERS,
      { schemaVersion: 'service.multi-role-finalized-metadata-list.v2' as const, items: [RECORD], nextCursor: 'next' },
      { limit: 1, cursor: 'sent' },
      finalizedListSchema,
      [
        ['/items', [RECORD, RECORD]],
        ['/nextCursor', 'sent'],
      ],
    );
    const feed = untestedMembers(records);
    expect(feed.faults).toEqual([]);
    expect(feed.untested.filter((path) => !OF_V3.test(path.replace('/items/*', '')))).toEqual([
      '/items/*/apiLaunchId',
      '/items/*/provenance/contextHash',
    ]);
  });
});
