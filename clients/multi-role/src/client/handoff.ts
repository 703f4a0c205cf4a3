import {
  createRequestSchema,
  walletHandoffSchema,
  type CreateRequest,
  type WalletHandoff,
} from '@launch/contracts/multi-role';
import { keccak256Hex, sha256Digest, type Hex } from '@launch/contracts/primitives';
import type { z } from 'zod';
import { parseWith } from '../offline/strict-document.js';
import { ClientError } from './client.error.js';
import { parseKept } from './kept-document.js';

/** The result of `check-handoff`. */
export interface CheckedHandoff {
  readonly schemaVersion: 'service.multi-role-handoff-check.v1';
  /** The members of the hand-off that were compared with the request or the clock. */
  readonly checked: readonly string[];
  readonly deadline: string;
}

/** The parameter of `eth_sendTransaction`. Quantities are hex, as JSON-RPC writes them. */
export interface WalletRequest {
  readonly from: string;
  readonly to: string;
  readonly value: Hex;
  readonly data: string;
  readonly chainId: Hex;
}

/**
 * Compares a kept hand-off with the request's own bytes and the clock. `launch-verify handoff` recomputes every byte; this check
 * finds a hand-off of another launch and a window that is over.
 *
 * @param now milliseconds.
 * @throws {ClientError} `MULTI_ROLE_CLIENT_HANDOFF_INVALID`, with a finding for each member that does not hold.
 */
export function checkHandoff(requestBytes: Uint8Array, handoffBytes: Uint8Array, now: number): CheckedHandoff {
  return compared(requestBytes, read(walletHandoffSchema, handoffBytes, '--handoff'), now);
}

/** Returns the wallet's request of a checked hand-off. @throws {ClientError} as `checkHandoff`. */
export function walletRequest(requestBytes: Uint8Array, handoffBytes: Uint8Array, now: number): WalletRequest {
  const handoff = read(walletHandoffSchema, handoffBytes, '--handoff');
  compared(requestBytes, handoff, now);
  const { from, to, value, data, chainId } = handoff.walletTransaction;
  return { from, to, value: quantity(value), data, chainId: quantity(chainId) };
}

const quantity = (decimal: string): Hex => `0x${BigInt(decimal).toString(16)}`;

function compared(requestBytes: Uint8Array, handoff: WalletHandoff, now: number): CheckedHandoff {
  const request = read(createRequestSchema, requestBytes, '--request');
  const checks = checksOf(requestBytes, request, handoff, now);
  const findings = checks.filter(({ holds }) => !holds).map(({ path, message }) => ({ path, message }));
  if (findings.length > 0) throw new ClientError('MULTI_ROLE_CLIENT_HANDOFF_INVALID', { findings });
  return {
    schemaVersion: 'service.multi-role-handoff-check.v1',
    checked: checks.map(({ path }) => path),
    deadline: handoff.deadline,
  };
}

interface Check {
  readonly path: string;
  readonly message: string;
  readonly holds: boolean;
}

function checksOf(requestBytes: Uint8Array, request: CreateRequest, handoff: WalletHandoff, now: number): Check[] {
  const { walletTransaction: transaction } = handoff;
  const { context, contextCommitments, permitWindow } = request;
  const equal = (path: string, actual: string, expected: string, of: string): Check => ({
    path,
    message: `is not ${of}`,
    holds: actual === expected,
  });
  return [
    equal('/requestSha256', handoff.requestSha256, sha256Digest(requestBytes), 'the SHA-256 of the request'),
    equal('/requestHash', handoff.requestHash, keccak256Hex(requestBytes), 'the keccak-256 of the request'),
    equal('/contextHash', handoff.contextHash, contextCommitments.contextHash, "the request's context"),
    equal('/validAfter', handoff.validAfter, permitWindow.validAfter, "the start of the request's window"),
    equal('/deadline', handoff.deadline, permitWindow.deadline, "the end of the request's window"),
    equal('/walletTransaction/from', transaction.from, request.launchWallet, "the request's wallet"),
    equal('/walletTransaction/to', transaction.to, context.chainBindings.router, "the router of the request's context"),
    equal('/walletTransaction/chainId', transaction.chainId, context.chainId, "the chain of the request's context"),
    equal('/walletTransaction/value', transaction.value, request.funding.totalValueWei, "the request's value"),
    {
      path: '/deadline',
      message: 'is over: make a new request',
      holds: Number(handoff.deadline) * 1_000 > now,
    },
  ];
}

function read<T>(schema: z.ZodType<T>, bytes: Uint8Array, option: string): T {
  const parsed = parseWith(schema, parseKept(bytes, 'MULTI_ROLE_CLIENT_HANDOFF_INVALID', option));
  if (parsed.ok) return parsed.value;
  const findings = parsed.findings.map(({ path, message }) => ({
    path: path === '' ? option : `${option} ${path}`,
    message,
  }));
  throw new ClientError('MULTI_ROLE_CLIENT_HANDOFF_INVALID', { findings });
}
