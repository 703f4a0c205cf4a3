import { canonicalJsonText } from '@launch/contracts/json';
import { commitContext } from '@launch/contracts/launch';
import type { CreateRequest, WalletHandoff } from '@launch/contracts/multi-role';
import { CHAIN_ID } from '@launch/contracts/primitives';
import {
  artifactHash,
  callHash,
  decodeLaunchCalldata,
  encodeLaunchCalldata,
  graphHash,
  permitDigest,
  permitToWire,
  poolHash,
  recoverPermitSigner,
  type Hex,
  type LaunchCall,
  type LaunchInvocation,
  type LaunchPermit,
  type RouterIdentity,
} from '@launch/evm';
import type { Checks } from '../checks.js';

/** A launch as its original request determines it, before any wallet file is read. */
export interface DecidedLaunch {
  readonly requestSha256: string;
  readonly requestHash: string;
  readonly router: RouterIdentity;
  readonly call: LaunchCall;
  readonly permit: LaunchPermit;
  readonly permitAuthorities: readonly string[];
}

/** Checks the hashes that the permit commits to: each must be the hash of the named document. */
export function checkCommitments(checks: Checks, { context, contextCommitments }: CreateRequest): void {
  for (const [name, hash] of Object.entries(commitContext(context)))
    checks.equal(`request.${name}`, hash, contextCommitments[name as keyof typeof contextCommitments]);
  checks.equal('request.router', context.chainDeployment.router.address, context.chainBindings.router);
}

/** Checks every value in a wallet file that follows from the request, and the calldata byte for byte. */
export function checkHandoff(checks: Checks, launch: DecidedLaunch, handoff: WalletHandoff): void {
  const { router, call, permit } = launch;
  const { walletTransaction } = handoff;
  checks.equal('handoff.requestSha256', launch.requestSha256, handoff.requestSha256);
  checks.equal('handoff.requestHash', launch.requestHash, handoff.requestHash);
  checks.equal('handoff.contextHash', permit.contextHash, handoff.contextHash);
  checks.equal('handoff.artifactHash', artifactHash(call), handoff.artifactHash);
  checks.equal('handoff.permitDigest', permitDigest(router, permit), handoff.permitDigest);
  checks.equal('handoff.validAfter', permit.validAfter.toString(), handoff.validAfter);
  checks.equal('handoff.deadline', permit.deadline.toString(), handoff.deadline);
  checks.equal('transaction.from', permit.controller, walletTransaction.from);
  checks.equal('transaction.to', router.router, walletTransaction.to);
  checks.equal('transaction.chainId', String(CHAIN_ID), walletTransaction.chainId);
  checks.equal('transaction.value', permit.value.toString(), walletTransaction.value);
  const said = checks.attempt('calldata.canonical', 'the one canonical encoding of a launch', () =>
    decodeLaunchCalldata(walletTransaction.data),
  );
  if (said === null) return;
  checkCall(checks, call, said.call);
  checkPermit(checks, permit, said.permit);
  checkSigner(checks, router, permit, said.signature, launch.permitAuthorities);
  checks.equal(
    'calldata.bytes',
    encodeLaunchCalldata({ call, permit, signature: said.signature }),
    walletTransaction.data,
  );
}

function checkCall(checks: Checks, expected: LaunchCall, said: LaunchCall): void {
  checks.equal('call.graphHash', graphHash(expected), graphHash(said));
  checks.equal('call.poolHash', poolHash(expected), poolHash(said));
  checks.equal('call.callHash', callHash(expected), callHash(said));
  for (const name of Object.keys(expected) as (keyof LaunchCall)[])
    checks.equal(`call.${name}`, text(expected[name]), text(said[name]));
}

function checkPermit(checks: Checks, expected: LaunchPermit, said: LaunchPermit): void {
  const [wanted, found] = [permitToWire(expected), permitToWire(said)];
  for (const [name, value] of Object.entries(wanted))
    checks.equal(`permit.${name}`, value, found[name as keyof typeof found]);
}

/** Recovers the signer over the digest of the request, never over one from the file. */
function checkSigner(
  checks: Checks,
  router: RouterIdentity,
  permit: LaunchPermit,
  signature: LaunchInvocation['signature'],
  authorities: readonly string[],
): void {
  const signer = checks.attempt('signature.form', '65 bytes, low s, v of 27 or 28', (): Hex =>
    recoverPermitSigner(permitDigest(router, permit), signature),
  );
  if (signer === null) return;
  const known = authorities.includes(signer);
  checks.holds('signature.signer', known ? signer : `one of ${authorities.join(', ')}`, known ? null : signer);
}

const text = (value: unknown): string =>
  canonicalJsonText(
    JSON.parse(JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner))),
  );
