import { describe, expect, it } from '@jest/globals';
import { canonicalJsonText } from '@launch/contracts/json';
import {
  finalityStatusSchema,
  finalityStatusV3Schema,
  launchListSchema,
  launchResourceSchema,
} from '@launch/contracts/multi-role';
import type { StoredLaunch } from '../../../core/launches/stored-launch.js';
import { testCaller } from '../../../fixtures/test-caller.js';
import { includedFinality, testAssessment, testHandoff } from '../../../fixtures/test-documents.js';
import { handedOff, resourceOf, storedLaunch } from '../../../fixtures/test-launch.js';
import { decodeLaunch } from '../data/launch.row.js';
import { finalityOf, launchListItem, launchResource } from './launch.resource.js';

const READ_AT = Date.parse('2026-11-20T10:00:00.000Z');
const AFTER_ITS_WINDOW = READ_AT + 1_801_000;
const SITE = 'https://site.example';
const shown = (row: StoredLaunch, nowMs = READ_AT, caller = testCaller(), siteUrl: string | null = SITE) =>
  launchResourceSchema.parse(launchResource(decodeLaunch(row), { caller, nowMs, siteUrl }));

describe('The resource of a multi-role launch', () => {
  it('shows a reserved launch without an assessment, a hand-off or a transaction', () => {
    const row = storedLaunch();
    expect(shown(row)).toMatchObject({
      launchId: row.launchId,
      status: 'reserved',
      idempotencyKey: row.idempotencyKey,
      sourceAssessment: null,
      wallet: null,
      findings: [],
      finality: { state: 'pending', transactionHash: null },
      statusUrl: expect.stringContaining(row.launchId),
    });
  });

  it('shows the stored assessment and the reason why admission waits', () => {
    const assessment = testAssessment('evidence_required', ['MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED']);
    const row = storedLaunch({
      status: 'admitting',
      statusReason: 'CONTROLLER_FUNDS_MISSING',
      assessment: canonicalJsonText(assessment),
    });
    expect(shown(row)).toMatchObject({ statusReason: 'CONTROLLER_FUNDS_MISSING', sourceAssessment: assessment });
  });

  it('shows the hand-off to keys that may read, and never to keys that may only create', () => {
    const row = handedOff(storedLaunch());
    expect(shown(row).wallet).toEqual(testHandoff(resourceOf(row)));
    expect(shown(row, READ_AT, testCaller({ scopes: ['custom-launch:create'] })).wallet).toBeNull();
  });

  it('hides the hand-off once its window has passed, unless the launch is included', () => {
    const row = handedOff(storedLaunch());
    expect(shown(row, AFTER_ITS_WINDOW).wallet).toBeNull();
    const included = { ...row, finality: canonicalJsonText(includedFinality(row.launchId)) };
    expect(shown(included, AFTER_ITS_WINDOW).wallet).toEqual(testHandoff(resourceOf(row)));
  });

  it('links its page, and the wallet page exactly while its wallet has something to sign', () => {
    const row = handedOff(storedLaunch());
    const launchUrl = `${SITE}/launches/${row.launchId}`;
    const walletUrl = `${SITE}/wallet/launches/${row.launchId}`;
    const pages = (...args: Parameters<typeof shown>) => {
      const { launchUrl: page, walletUrl: wallet } = shown(...args);
      return [page, wallet];
    };
    expect(pages(storedLaunch({ launchId: row.launchId }))).toEqual([launchUrl, null]);
    for (const status of ['authorized', 'awaiting_wallet_signature'])
      expect([status, ...pages({ ...row, status })]).toEqual([status, launchUrl, walletUrl]);
    for (const status of ['submitted', 'finalized', 'failed', 'expired'])
      expect([status, ...pages({ ...row, status })]).toEqual([status, launchUrl, null]);
    const authorized = { ...row, status: 'authorized' };
    expect(pages(authorized, AFTER_ITS_WINDOW)).toEqual([launchUrl, null]);
    expect(pages(authorized, READ_AT, testCaller({ scopes: ['custom-launch:create'] }))).toEqual([launchUrl, null]);
    expect(pages(authorized, READ_AT, testCaller(), null)).toEqual([null, null]);
  });
});

describe('A multi-role launch in a list', () => {
  const listed = (row: StoredLaunch, nowMs = READ_AT, caller = testCaller()) =>
    launchListItem(decodeLaunch(row), { caller, nowMs, siteUrl: SITE });

  it('links its hand-off and has no calldata, so that 25 of them stay small', () => {
    const row = handedOff(storedLaunch());
    const { walletTransaction, ...handoff } = testHandoff(resourceOf(row));
    const data = `0x${'5a'.repeat(128 * 1024)}`;
    const largest = {
      ...row,
      handoff: canonicalJsonText({ ...handoff, walletTransaction: { ...walletTransaction, data } }),
    };
    const page = {
      schemaVersion: 'service.multi-role-launch-list.v2',
      items: Array.from({ length: 25 }, () => listed(largest)),
      nextCursor: null,
    };
    const { items } = launchListSchema.parse(page);
    expect(items[0]!.handoffUrl).toBe(items[0]!.statusUrl);
    expect(JSON.stringify(page).length).toBeLessThan(512 * 1024);
    expect(JSON.stringify(page)).not.toContain('walletTransaction');
  });

  it('links no hand-off that the key cannot read, or whose window has passed', () => {
    const row = handedOff(storedLaunch());
    expect(listed(row, READ_AT, testCaller({ scopes: ['custom-launch:create'] })).handoffUrl).toBeNull();
    expect(listed(row, AFTER_ITS_WINDOW).handoffUrl).toBeNull();
    expect(listed(storedLaunch()).handoffUrl).toBeNull();
  });
});

describe('The finality of a multi-role launch', () => {
  const finality = (row: StoredLaunch, now = READ_AT) => finalityOf(decodeLaunch(row), now);

  it('has the generation of its launch’s context, and is pending before the first observation', () => {
    const [old, recent] = [storedLaunch(), storedLaunch({}, 'v3')];
    expect(finalityStatusSchema.parse(finality(old)).state).toBe('pending');
    expect(finalityStatusV3Schema.parse(finality(recent))).toMatchObject({
      state: 'pending',
      contextHash: recent.contextHash,
      onchainLaunchId: recent.onchainLaunchId,
    });
  });

  it('shows the expected time of the next stage until it has passed, and never a time in the past', () => {
    const row = storedLaunch();
    const expected = {
      ...includedFinality(row.launchId, new Date(READ_AT).toISOString()),
      estimatedNextStageAt: new Date(READ_AT + 60_000).toISOString(),
      basis: 'configured-expectation',
    };
    const observed = { ...row, finality: canonicalJsonText(expected) };
    expect(finality(observed)).toEqual(expected);
    expect(finality(observed, READ_AT + 60_001)).toEqual({ ...expected, estimatedNextStageAt: null, basis: 'overdue' });
  });
});
