import { gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  type AnyFinalityStatus,
  type AnyFinalizedRecord,
  type Capabilities,
  capabilitiesSchema,
  finalityEvidenceSchema,
  finalityStatusSchema,
  finalityStatusV3Schema,
  finalizedListSchema,
  finalizedRecordSchema,
  launchListSchema,
  type LaunchResource,
  launchResourceSchema,
  type PreflightResult,
  preflightResultSchema,
  type TransactionHintReceipt,
  transactionHintReceiptV3Schema,
} from '@launch/contracts/multi-role';
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
const FINALITY_V3 = {
  ...FINALITY,
  schemaVersion: 'service.multi-role-finality-status.v3',
  policy: 'service.derived-contract-finality.v3',
  contextHash,
  onchainLaunchId,
  nextStage: null,
  derivedContracts: [],
} as unknown as AnyFinalityStatus;
const HINT_RECEIPT = transactionHintReceiptV3Schema.parse({
  ...recordedAnswer<TransactionHintReceipt>('registerTransactionHint', 202),
  contextHash,
  schemaVersion: 'service.multi-role-transaction-hint-receipt.v3',
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
const bundleSchema = finalityEvidenceSchema.pick({ launch: true, context: true, handoff: true });

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

describe('Each bound member', () => {
  it.each([
    [
      'a launch',
      bindingCase(
        MULTI_ROLE_LAUNCH_MEMBERS.filter(({ path }) => !/^\/(finality\/(contextHash|onchain)|status$)/.test(path)),
        { ...LAUNCH, finality: { ...FINALITY, launchId } },
        subject,
        launchResourceSchema,
      ),
    ],
    [
      'a launch of finality V3',
      bindingCase(
        MULTI_ROLE_LAUNCH_MEMBERS.filter(({ path }) => /^\/finality\/(contextHash|onchain)/.test(path)),
        { ...LAUNCH, finality: { ...FINALITY_V3, launchId } },
        subject,
        launchResourceSchema,
      ),
    ],
    [
      'a finality status',
      bindingCase(
        MULTI_ROLE_FINALITY_MEMBERS.filter(({ path }) => path !== '/contextHash' && path !== '/onchainLaunchId'),
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
        FINALIZED_RECORD_MEMBERS,
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
      'the capabilities',
      bindingCase(CAPABILITIES_MEMBERS, recordedAnswer<Capabilities>('getCapabilities'), undefined, capabilitiesSchema),
    ],
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
    expect(page.untested.map((path) => path.replace('/items/*', ''))).toEqual([
      '/requestSha256',
      '/requestHash',
      '/idempotencyKey',
      '/launchWallet',
      '/nonce',
      '/permitWindow/validAfter',
      '/permitWindow/deadline',
      '/onchainLaunchId',
      '/finality/contextHash',
      '/finality/onchainLaunchId',
      '/finality/inclusion/receiptStatus',
      '/finality/transactionHash',
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
    expect(feed).toEqual({ faults: [], untested: ['/items/*/apiLaunchId', '/items/*/provenance/contextHash'] });
  });
});
