import { describe, expect, it } from '@jest/globals';
import type { ErrorCode } from '@launch/contracts/errors';
import { canonicalJsonText } from '@launch/contracts/json';
import { sha256Digest } from '@launch/contracts/primitives';
import type { LaunchStatus } from '@launch/contracts/states';
import { ApiError } from '@launch/http';
import { refusalOfWork } from '../../../fixtures/refused.js';
import { testFindings } from '../../../fixtures/test-documents.js';
import { resourceOf, storedLaunch } from '../../../fixtures/test-launch.js';
import { decodeLaunch } from '../data/launch.row.js';
import { replayAnswer } from './launch.replay.js';

const OTHER_BYTES = sha256Digest(Buffer.from('other bytes'));
const launchIn = (status: LaunchStatus, codes: readonly ErrorCode[] = []) =>
  storedLaunch({ status, findings: canonicalJsonText(testFindings(...codes)) });
const replay = (row: ReturnType<typeof storedLaunch>, sent = row.requestSha256) =>
  replayAnswer({ bodySha256: row.requestSha256, launch: decodeLaunch(row) }, sent, resourceOf(row));

const PENDING: readonly LaunchStatus[] = ['reserved', 'admitting'];
const SHOWN: readonly LaunchStatus[] = [
  'authorized',
  'awaiting_wallet_signature',
  'submitted',
  'finalized',
  'failed',
  'expired',
];
const REFUSED: readonly (readonly [ErrorCode, ErrorCode])[] = [
  ['MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED', 'MULTI_ROLE_EVIDENCE_REQUIRED'],
  ['MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN', 'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN'],
  ['MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED', 'MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED'],
  ['CREATION_BYTECODE_MISMATCH', 'MULTI_ROLE_EVIDENCE_REQUIRED'],
  ['SIMULATION_REVERTED', 'MULTI_ROLE_EVIDENCE_REQUIRED'],
];

describe('An exact replay', () => {
  it.each(PENDING)('of a launch that is %s asks for a retry and names the launch', async (status) => {
    const row = launchIn(status);
    const refused = await refusalOfWork(() => replay(row));
    const { statusUrl } = resourceOf(row);
    expect([refused.status, refused.code, refused.retryable, refused.retryAfterSeconds, refused.statusUrl]).toEqual([
      503,
      'MULTI_ROLE_ADMISSION_PENDING',
      true,
      1,
      statusUrl,
    ]);
    expect(refused.headers).toEqual({ location: statusUrl, 'idempotency-replayed': 'true' });
  });

  it.each(REFUSED)('of a launch that was refused with %s answers %s and the findings', async (found, code) => {
    const row = launchIn('action_required', [found]);
    const refused = await refusalOfWork(() => replay(row));
    const { statusUrl, findings } = resourceOf(row);
    expect([refused.status, refused.code, refused.retryable, refused.statusUrl]).toEqual([422, code, false, statusUrl]);
    expect(refused.findings).toEqual(findings);
    expect(refused.headers).toEqual({ location: statusUrl, 'idempotency-replayed': 'true' });
  });

  it.each(SHOWN)('of a launch that is %s answers its current resource', (status) => {
    const row = launchIn(status);
    expect(replay(row)).toEqual(resourceOf(row));
  });
});

describe('Other bytes under a known key', () => {
  it.each([...PENDING, 'action_required' as const, ...SHOWN])('conflict with a launch that is %s', async (status) => {
    const row = launchIn(status);
    const refused = await refusalOfWork(() => replay(row, OTHER_BYTES));
    expect(refused).toBeInstanceOf(ApiError);
    expect([refused.status, refused.code, refused.statusUrl]).toEqual([
      409,
      'IDEMPOTENCY_CONFLICT',
      resourceOf(row).statusUrl,
    ]);
  });
});
