import { describe, expect, it } from '@jest/globals';
import type { CustomLaunchHandoff } from '@launch/contracts/custom-launch';
import type { WalletTransaction } from '@launch/contracts/launch';
import type { WalletHandoff } from '@launch/contracts/multi-role';
import { handedTransaction } from './handed-transaction.js';

const word = `0x${'1'.repeat(64)}` as const;
const sha256 = `sha256:${'2'.repeat(64)}` as const;
const at = '2026-01-01T00:00:00.000Z';
const transaction: WalletTransaction = {
  from: `0x${'a'.repeat(40)}`,
  to: `0x${'b'.repeat(40)}`,
  chainId: '4663',
  value: '7',
  data: '0x1234',
};
const window = { validAfter: '1', deadline: '2' };
const simulation = { blockNumber: '1', blockHash: word, gasUsed: '1' };
const common = {
  requestSha256: sha256,
  requestHash: word,
  contextHash: word,
  artifactHash: word,
  permitDigest: word,
  ...window,
  createdAt: at,
  simulation: { ...simulation, simulatedAt: at },
  walletTransaction: transaction,
};
const multiRole: WalletHandoff = { ...common, schemaVersion: 'service.multi-role-wallet-handoff.v2' };
const v4: CustomLaunchHandoff = {
  ...common,
  schemaVersion: 'service.custom-launch-wallet-handoff.v4',
  metadata: { name: 'Atlas', symbol: 'ATLAS', imageSha256: sha256 },
  expiresAt: at,
  usdReference: null,
};
const authorization = {
  form: 'transaction.v1',
  ...transaction,
  ...window,
  requestSha256: sha256,
  artifactSha256: sha256,
  simulation,
};

describe('the transaction of a kept file', () => {
  it.each([
    ['the hand-off of a multi-role launch', multiRole],
    ['the hand-off of a custom launch', v4],
    ['a step of a sequential plan', { stepId: 'deploy-token', authorization }],
  ])('is read from %s', (_form, file) => {
    expect(handedTransaction(file)).toMatchObject({ transaction, deadline: window.deadline });
  });

  it.each([
    ['a step without its authorization', { stepId: 'deploy-token', authorization: null }],
    ['a batch', { stepId: 'atomic-launch', authorization: { form: 'atomic.v1', calls: [transaction] } }],
    ['a hand-off with a member more', { ...v4, more: 1 }],
    ['no object', 7],
  ])('is not read from %s, and the error names the accepted forms', (_what, file) => {
    expect(() => handedTransaction(file)).toThrow(/none of: .*multi-role launch, .*custom launch, .*sequential plan/);
  });
});
