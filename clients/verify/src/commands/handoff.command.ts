import { orderFindings } from '@launch/contracts/errors';
import { commitContext } from '@launch/contracts/launch';
import { createRequestSchema, walletHandoffSchema, type CreateRequest } from '@launch/contracts/multi-role';
import { keccak256Hex, LIMITS, sha256Digest, type Hex } from '@launch/contracts/primitives';
import {
  launchCallOf,
  launchCommitments,
  launchPermitOf,
  recogniseEconomics,
  routerOf,
  type LaunchPermit,
} from '@launch/evm';
import { Checks } from '../checks.js';
import { verdictOf, verdictOfChecks, type Verdict } from '../verdict.types.js';
import { canonicalDocument, ofFile } from './canonical-document.js';
import { checkCommitments, checkHandoff } from './handoff.checks.js';

/** A wallet file contains a transaction of at most 128 KiB in hex and little else. */
export const MAX_WALLET_FILE_BYTES = 512 * 1024;

const NOT_CHECKED = [
  'createdAt and simulation, which the service observed: nothing in the request decides them',
  'the request itself; see launch-verify request',
  "whether the nonce is free, the signer an authority and the window open on chain; permitWindow tells the last by this machine's clock alone",
];

/**
 * `handoff <request> <wallet file>`: recomputes the transaction from the original request's bytes and compares the wallet file
 * with it, byte for byte. Only the permit's signature comes from the file. Its signer is recovered over the request's own
 * digest, and must be an authority that the request's context names.
 */
export function verifyHandoff(
  requestBytes: Uint8Array | null,
  walletBytes: Uint8Array | null,
  now: () => number = Date.now,
): Verdict {
  const parsedRequest = canonicalDocument(requestBytes, LIMITS.requestBytes, createRequestSchema);
  const parsedWallet = canonicalDocument(walletBytes, MAX_WALLET_FILE_BYTES, walletHandoffSchema);
  const findings = [
    ...ofFile('request', parsedRequest.ok ? [] : parsedRequest.findings),
    ...ofFile('wallet', parsedWallet.ok ? [] : parsedWallet.findings),
  ];
  if (requestBytes === null || !parsedRequest.ok || !parsedWallet.ok)
    return verdictOf('handoff', orderFindings(findings), {}, NOT_CHECKED);

  const request = parsedRequest.value;
  const hashes = { requestSha256: sha256Digest(requestBytes), requestHash: keccak256Hex(requestBytes) };
  const details = {
    ...hashes,
    ...launchCommitments(request),
    permitWindow: { ...request.permitWindow, atThisClock: windowAt(request, now()) },
  };
  const checks = new Checks();
  checkCommitments(checks, request);
  const economics = recogniseEconomics(request);
  const recognised = economics.kind === 'recognised';
  checks.holds('request.economics', 'recognised by a reviewed template', recognised ? null : economics.kind);
  if (!recognised) return verdictOfChecks('handoff', checks.all, details, NOT_CHECKED);
  const permit = permitOf(request, hashes.requestHash, economics.economicsHash);
  checkHandoff(
    checks,
    {
      ...hashes,
      router: routerOf(request.context),
      call: launchCallOf(request),
      permit,
      permitAuthorities: request.context.chainBindings.permitAuthorities,
    },
    parsedWallet.value,
  );
  const { recipe, economicsHash } = economics;
  return verdictOfChecks(
    'handoff',
    checks.all,
    { ...details, recipe, economicsHash, permitDigest: parsedWallet.value.permitDigest },
    NOT_CHECKED,
  );
}

/** Checks the window. A passed window is not a fault of the file, but there is nothing left to sign. */
function windowAt(
  { permitWindow: { validAfter, deadline } }: CreateRequest,
  milliseconds: number,
): 'not-yet' | 'open' | 'passed' {
  const seconds = BigInt(Math.floor(milliseconds / 1_000));
  return seconds < BigInt(validAfter) ? 'not-yet' : seconds <= BigInt(deadline) ? 'open' : 'passed';
}

/** Builds the permit with the context's own hashes, not with the commitments of the request. */
function permitOf(request: CreateRequest, requestHash: Hex, economicsHash: Hex): LaunchPermit {
  return launchPermitOf(
    { ...request, contextCommitments: commitContext(request.context) },
    { requestHash, economicsHash },
  );
}
