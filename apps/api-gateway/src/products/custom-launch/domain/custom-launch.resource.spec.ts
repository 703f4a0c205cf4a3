import { describe, expect, it } from '@jest/globals';
import { customLaunchResourceSchema, type CustomLaunchFinality } from '@launch/contracts/custom-launch';
import { customLaunchFinding } from '@launch/contracts/errors';
import { canonicalJsonText } from '@launch/contracts/json';
import type { StoredLaunch } from '../../../core/launches/stored-launch.js';
import { customLaunchFinality, customLaunchHandoff } from '../../../fixtures/custom-launch.fixture.js';
import { CUSTOM_LAUNCH_CALLER } from '../../../fixtures/judged-custom-launches.js';
import { storedCustomLaunch } from '../../../fixtures/test-custom-launch.js';
import { decodeCustomLaunch } from '../data/custom-launch.row.js';
import { customLaunchResource } from './custom-launch.resource.js';

const READ_AT = Date.parse('2026-11-20T10:00:00.000Z');
const AFTER_ITS_WINDOW = READ_AT + 1_801_000;
const SITE = 'https://site.example';
const shown = (row: StoredLaunch, nowMs = READ_AT, caller = CUSTOM_LAUNCH_CALLER, siteUrl: string | null = SITE) =>
  customLaunchResourceSchema.parse(customLaunchResource(decodeCustomLaunch(row), { caller, nowMs, siteUrl }));

describe('The resource of a custom launch', () => {
  it('shows a reserved launch without a hand-off, a transaction or an observation', () => {
    const row = storedCustomLaunch();
    expect(shown(row)).toMatchObject({
      launchId: row.launchId,
      status: 'admitting',
      profile: '4.1.0',
      handoff: null,
      failure: null,
      transactions: [],
      finality: { stage: 'pending', observation: null },
      sourceVerification: { status: 'pending' },
      publication: { status: 'not_published' },
    });
  });

  it('shows its hand-off to keys with the read scope, until its window ends without an inclusion', () => {
    const reserved = storedCustomLaunch();
    const handoff = customLaunchHandoff(reserved);
    const row = { ...reserved, status: 'authorized', handoff: canonicalJsonText(handoff) };
    expect(shown(row).handoff).toEqual(handoff);
    expect(shown(row, READ_AT, { ...CUSTOM_LAUNCH_CALLER, scopes: ['custom-launch:create'] }).handoff).toBeNull();
    expect(shown(row, AFTER_ITS_WINDOW).handoff).toBeNull();
    const finality = canonicalJsonText(customLaunchFinality(row.launchId, 'included'));
    expect(shown({ ...row, status: 'sequencer_soft_confirmed', finality }, AFTER_ITS_WINDOW).handoff).toEqual(handoff);
  });

  it('links its page, and the wallet page exactly while its wallet has something to sign', () => {
    const reserved = storedCustomLaunch();
    const { launchId } = reserved;
    const row = { ...reserved, handoff: canonicalJsonText(customLaunchHandoff(reserved)) };
    const launchUrl = `${SITE}/launches/${launchId}`;
    const walletUrl = `${SITE}/wallet/launches/${launchId}`;
    const pages = (...args: Parameters<typeof shown>) => {
      const { launchUrl: page, walletUrl: wallet } = shown(...args);
      return [page, wallet];
    };
    expect(pages(reserved)).toEqual([launchUrl, null]);
    for (const status of ['authorized', 'awaiting_wallet_signature', 'wallet_action_required'])
      expect([status, ...pages({ ...row, status })]).toEqual([status, launchUrl, walletUrl]);
    for (const status of ['submitted', 'sequencer_soft_confirmed', 'ethereum_posted', 'finalized', 'failed'])
      expect([status, ...pages({ ...row, status })]).toEqual([status, launchUrl, null]);
    const authorized = { ...row, status: 'authorized' };
    expect(pages(authorized, AFTER_ITS_WINDOW)).toEqual([launchUrl, null]);
    const powerless = { ...CUSTOM_LAUNCH_CALLER, scopes: ['custom-launch:create'] as const };
    expect(pages(authorized, READ_AT, powerless)).toEqual([launchUrl, null]);
    expect(pages(authorized, READ_AT, CUSTOM_LAUNCH_CALLER, null)).toEqual([null, null]);
  });

  it('shows when the next stage is expected until that time has passed', () => {
    const { launchId, ...reserved } = storedCustomLaunch();
    const estimatedNextStageAt = new Date(READ_AT + 60_000).toISOString();
    const finality: CustomLaunchFinality = customLaunchFinality(launchId, 'included', { estimatedNextStageAt });
    const row = { launchId, ...reserved, finality: canonicalJsonText(finality) } as StoredLaunch;
    expect(shown(row).finality.estimatedNextStageAt).toBe(estimatedNextStageAt);
    expect(shown(row, READ_AT + 60_001).finality.estimatedNextStageAt).toBeNull();
  });

  it('reports its end, source verification, publication and finality separately', () => {
    const finding = customLaunchFinding('BUDGET_EXCEEDED', '/budgets/maxGasCostWei');
    expect(
      shown(storedCustomLaunch({ status: 'action_required', findings: canonicalJsonText([finding]) })),
    ).toMatchObject({ status: 'action_required', findings: [finding], sourceVerification: { status: 'not_verified' } });
    const failure = {
      code: 'PERMIT_EXPIRED',
      stage: 'awaiting_wallet_signature',
      evidence: null,
      recovery: { action: 'correct_and_resubmit', detail: 'Pack the launch again with a new window.' },
    };
    expect(shown(storedCustomLaunch({ status: 'failed', failure: canonicalJsonText(failure) })).failure).toEqual(
      failure,
    );
    const finalized = (publication: StoredLaunch['publication']) => {
      const end = shown(storedCustomLaunch({ status: 'finalized', publication }));
      return [end.sourceVerification.status, end.publication.status, end.finality.stage];
    };
    expect(finalized('not_published')).toEqual(['verified', 'not_published', 'pending']);
    expect(finalized('published')).toEqual(['verified', 'published', 'pending']);
    expect(finalized('quarantined')).toEqual(['not_verified', 'quarantined', 'pending']);
  });
});
