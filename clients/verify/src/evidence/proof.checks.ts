import type { FinalityEvidence } from '@launch/contracts/multi-role';
import type { CodeProof, StateProof, StepProofs, TransactionProof } from '@launch/contracts/launch';
import {
  BATCH_DELIVERED_ABI,
  decodeBatchCall,
  keptStampOf,
  namesTarget,
  type ComponentTarget,
  type LaunchTarget,
  type MultiRoleTarget,
  type StampedTarget,
} from '@launch/chain';
import {
  compareStamp,
  compareStampV1,
  decodeBlockHeader,
  decodeReceipt,
  decodeSignedTransaction,
  indexKey,
  readAccountProof,
  readStorageProof,
  readTrieProof,
  type Hex,
  type ProvenHeader,
  type ProvenReceipt,
  type SignedTransaction,
} from '@launch/evm';
import { decodeEventLog } from 'viem';
import type { Checks } from '../checks.js';
import type { Statements } from './statements.js';

type Conclusion = {
  readonly [K in 'inclusion' | 'posting' | 'checkpoint']: NonNullable<FinalityEvidence['conclusion'][K]>;
};

interface ProvenItem {
  readonly header: ProvenHeader;
  readonly transaction: SignedTransaction;
  readonly receipt: ProvenReceipt;
}

/** Checks every proof against the block hashes of the conclusion. Without a proof, the statement rests on the observers. */
export function checkProofs(
  checks: Checks,
  statements: Statements,
  proofs: StepProofs,
  conclusion: Conclusion,
  target: LaunchTarget,
): void {
  if (proofs.inclusion.kind === 'proof')
    checkInclusion(checks, statements, proofs.inclusion, conclusion, target, proofs.state);
  else statements.without('inclusion', proofs.inclusion.reason);
  if (proofs.posting.kind === 'proof') checkPosting(checks, statements, proofs.posting, conclusion, target);
  else statements.without('posting', proofs.posting.reason);
  if (proofs.ancestry.kind === 'proof') checkAncestry(checks, statements, proofs.ancestry.headers as Hex[], conclusion);
  else statements.without('ancestry', proofs.ancestry.reason);
  if (proofs.state.kind === 'unavailable') statements.without('state', proofs.state.reason);
  else if (proofs.inclusion.kind !== 'proof') statements.without('state', 'no proven header of the block');
}

function checkInclusion(
  checks: Checks,
  statements: Statements,
  proof: TransactionProof,
  { inclusion }: Conclusion,
  target: LaunchTarget,
  state: StepProofs['state'],
): void {
  const item = provenItem(checks, 'proof.inclusion', proof, inclusion.blockHash);
  if (item === null) return;
  const { header, transaction, receipt } = item;
  checks.equal('proof.inclusion.transactionHash', inclusion.transactionHash, transaction.hash);
  checks.equal('proof.inclusion.index', String(inclusion.transactionIndex), String(proof.transactionIndex));
  checks.equal('proof.inclusion.blockNumber', inclusion.blockNumber, header.number.toString());
  const exact = target.transaction;
  // In an atomic plan the wallet sends its own transaction, so the stamp identifies the launch.
  if (exact !== null) {
    checks.equal('proof.inclusion.from', exact.from, transaction.from);
    checks.equal('proof.inclusion.to', exact.to, transaction.to ?? 'a creation');
    checks.equal('proof.inclusion.value', exact.value.toString(), transaction.value.toString());
    checks.equal('proof.inclusion.data', exact.data, transaction.input);
  }
  checks.equal('proof.inclusion.chainId', target.chainId.toString(), String(transaction.chainId));
  const { validAfter, deadline } = target.window;
  checks.holds(
    'proof.inclusion.time',
    `in the permit window, ${validAfter} to ${deadline}`,
    header.timestamp >= validAfter && header.timestamp <= deadline ? null : header.timestamp.toString(),
  );
  checkReceipt(checks, target, receipt);
  statements.proven('inclusion', proof.transactionNodes !== null);
  if (state.kind === 'unavailable') return;
  if (target.provenBy === 'code' ? state.kind !== 'code-proof' : state.kind !== 'proof')
    checks.holds('proof.state.kind', `of a target that is proven by ${target.provenBy}`, state.kind);
  else if (target.provenBy === 'code') checkCode(checks, state as CodeProof, header, target);
  else checkState(checks, state as StateProof, header, target);
  statements.proven('state');
}

/** Checks the receipt of a successful transaction: the stamp or, for a deploy step, the event that names it. */
function checkReceipt(checks: Checks, target: LaunchTarget, { status, logs }: ProvenReceipt): void {
  if (target.provenBy === 'code') {
    const found = status !== 'success' ? 'reverted' : namesTarget(target, logs) ? null : 'no such event';
    checks.holds(
      'proof.inclusion.event',
      "a successful receipt with the router's event of the deployed component",
      found,
    );
    return;
  }
  const stamp =
    target.provenBy === 'stamp-v2'
      ? compareStamp(target.router, logs, target.stamp)
      : compareStampV1(target.router, logs, target.stamp);
  checks.holds(
    'proof.inclusion.stamp',
    'a successful receipt with exactly the stamp of the signed launch',
    status !== 'success' ? 'reverted' : stamp.verdict === 'pass' ? null : (stamp.deviations[0]?.code ?? 'deviates'),
  );
}

/** Checks the code hashes of the router and of the component that a deploy step created. */
function checkCode(checks: Checks, state: CodeProof, header: ProvenHeader, target: ComponentTarget): void {
  const router = { account: target.router, runtimeCodeHash: target.routerCodeHash };
  for (const [name, expected] of [
    ['router', router],
    ['component', target.component],
  ] as const) {
    checks.equal(`proof.state.${name}`, expected.account, state[name].account);
    const proven = checks.attempt(`proof.state.${name}.account`, 'the account under the state root', () =>
      readAccountProof(header.stateRoot, expected.account, state[name].nodes as Hex[]),
    );
    checks.equal(`proof.state.${name}.codeHash`, expected.runtimeCodeHash, proven?.codeHash ?? 'no account');
  }
}

function checkState(
  checks: Checks,
  state: StateProof,
  header: ProvenHeader,
  target: MultiRoleTarget | StampedTarget,
): void {
  const { router } = target;
  const { slot, proof, stamped: accounts } = keptStampOf(target);
  const stamped = checks.attempt(
    'proof.state.router',
    "the router's account and its stamp of the launch, under the state root",
    () => {
      const account = readAccountProof(header.stateRoot, router, state.router.accountNodes as Hex[]);
      checks.equal('proof.state.router.codeHash', target.routerCodeHash, account?.codeHash ?? 'no account');
      return account === null
        ? 'no router'
        : readStorageProof(account.storageRoot, slot, state.router.stampProofNodes as Hex[]);
    },
  );
  if (stamped !== null) checks.equal('proof.state.stampProof', proof, stamped);
  checks.equal(
    'proof.state.accounts',
    accounts.map(({ account }) => account).join(' '),
    state.accounts.map(({ account }) => account).join(' '),
  );
  for (const [index, { account, nodes }] of state.accounts.entries()) {
    const proven = checks.attempt(`proof.state.${account}`, 'the account under the state root', () =>
      readAccountProof(header.stateRoot, account as Hex, nodes as Hex[]),
    );
    checks.equal(
      `proof.state.${account}.codeHash`,
      accounts[index]?.runtimeCodeHash ?? 'no such account',
      proven?.codeHash ?? 'no account',
    );
  }
}

function checkPosting(
  checks: Checks,
  statements: Statements,
  proof: TransactionProof,
  { inclusion, posting }: Conclusion,
  target: LaunchTarget,
): void {
  const item = provenItem(checks, 'proof.posting', proof, posting.l1BlockHash);
  if (item === null) return;
  const { header, transaction, receipt } = item;
  checks.equal('proof.posting.transactionHash', posting.batchTransactionHash, transaction.hash);
  checks.equal('proof.posting.blockNumber', posting.l1BlockNumber, header.number.toString());
  checks.equal('proof.posting.to', target.sequencerInbox, transaction.to ?? 'a creation');
  const delivered = receipt.logs.filter(({ address }) => address === target.sequencerInbox).flatMap(batchDelivery);
  const own = delivered.filter(({ number }) => number.toString() === posting.batchNumber);
  checks.holds(
    'proof.posting.event',
    `one SequencerBatchDelivered of batch ${posting.batchNumber}`,
    receipt.status === 'success' && own.length === 1 ? null : `${own.length} in a ${receipt.status} receipt`,
  );
  checks.equal('proof.posting.afterAcc', posting.afterAcc, own[0]?.afterAcc ?? 'none');
  const bounds = decodeBatchCall(transaction.input);
  const message = BigInt(inclusion.blockNumber) - target.genesisBlock;
  const covers = bounds !== null && bounds.prevMessageCount <= message && message < bounds.newMessageCount;
  checks.holds(
    'proof.posting.covers',
    `a call that posts message ${message}`,
    covers
      ? null
      : bounds === null
        ? 'no call that posts a batch'
        : `messages ${bounds.prevMessageCount} to ${bounds.newMessageCount}`,
  );
  statements.proven('posting', proof.transactionNodes !== null);
}

function batchDelivery(log: {
  readonly topics: readonly Hex[];
  readonly data: Hex;
}): { readonly number: bigint; readonly afterAcc: Hex }[] {
  try {
    const { args } = decodeEventLog({
      abi: [BATCH_DELIVERED_ABI],
      topics: [...log.topics] as [Hex, ...Hex[]],
      data: log.data,
    });
    return [{ number: args.batchSequenceNumber, afterAcc: args.afterAcc }];
  } catch {
    // Another event of the inbox.
    return [];
  }
}

function checkAncestry(
  checks: Checks,
  statements: Statements,
  headers: readonly Hex[],
  { posting, checkpoint }: Conclusion,
): void {
  const last = checks.attempt('proof.ancestry.headers', 'a chain of headers', () =>
    headers.map(decodeBlockHeader).reduce(
      (parent, header) => {
        if (header.parentHash !== parent.hash || header.number !== parent.number + 1n) throw new AncestryBroken();
        return header;
      },
      { hash: posting.l1BlockHash as Hex, number: BigInt(posting.l1BlockNumber) } as Pick<
        ProvenHeader,
        'hash' | 'number'
      >,
    ),
  );
  if (last === null) return;
  checks.equal('proof.ancestry.checkpoint', checkpoint.blockHash, last.hash);
  checks.equal('proof.ancestry.blockNumber', checkpoint.blockNumber, last.number.toString());
  statements.proven('ancestry');
}

class AncestryBroken extends Error {
  override readonly name = 'AncestryBroken';
}

/** Reads a transaction and its receipt from the block's own tries. */
function provenItem(checks: Checks, name: string, proof: TransactionProof, blockHash: string): ProvenItem | null {
  const header = checks.attempt(`${name}.header`, 'a header', () => decodeBlockHeader(proof.header as Hex));
  if (header === null) return null;
  checks.equal(`${name}.blockHash`, blockHash, header.hash);
  const key = indexKey(proof.transactionIndex);
  const receiptBytes = checks.attempt(`${name}.receiptTrie`, 'a receipt under the receipts root', () =>
    readTrieProof(header.receiptsRoot, key, proof.receiptNodes as Hex[]),
  );
  checks.equal(`${name}.receipt`, receiptBytes ?? 'none', proof.receipt);
  const { transactionNodes } = proof;
  if (transactionNodes !== null) {
    const bytes = checks.attempt(`${name}.transactionTrie`, 'a transaction under the transactions root', () =>
      readTrieProof(header.transactionsRoot, key, transactionNodes as Hex[]),
    );
    checks.equal(`${name}.transaction`, bytes ?? 'none', proof.transaction);
  }
  const transaction = checks.attempt(`${name}.signature`, 'a signed transaction', () =>
    decodeSignedTransaction(proof.transaction as Hex),
  );
  const receipt = checks.attempt(`${name}.logs`, 'a receipt', () => decodeReceipt(proof.receipt as Hex));
  return transaction === null || receipt === null ? null : { header, transaction, receipt };
}
