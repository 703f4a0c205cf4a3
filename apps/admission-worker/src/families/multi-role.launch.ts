import { travellingFindings, type Finding } from '@launch/contracts/errors';
import type { WalletTransaction } from '@launch/contracts/launch';
import { walletHandoffSchema, type CreateRequest, type WalletHandoff } from '@launch/contracts/multi-role';
import type { SignedPermit } from '@launch/contracts/orchestration';
import {
  encodeLaunchCalldata,
  launchCallOf,
  launchCommitments,
  permitFromWire,
  rehearsalOf,
  revertFinding,
  routerOf,
  withInventoryBindings,
} from '@launch/evm';
import {
  economicsOf,
  judge,
  MULTI_ROLE_DEPLOYMENT,
  MULTI_ROLE_ECONOMICS,
  MULTI_ROLE_EXTERNALS,
  MULTI_ROLE_GRAPH,
  MULTI_ROLE_SCAN,
  MULTI_ROLE_SOURCE,
} from '@launch/launch-rules';
import type { JudgedLaunch } from './judged-launch.js';

/** Returns the one transaction that the controller must send, with the permit's signature in its calldata. */
export function walletTransactionOf(request: CreateRequest, signed: SignedPermit): WalletTransaction {
  const permit = permitFromWire(signed.permit);
  return {
    from: request.launchWallet,
    to: routerOf(request.context).router,
    chainId: '4663',
    value: permit.value.toString(),
    data: encodeLaunchCalldata({ call: launchCallOf(request), permit, signature: signed.signature }),
  };
}

/** Creates the judgement of a `multi-role.v2` request. */
export function multiRoleLaunch(request: CreateRequest): JudgedLaunch {
  return {
    family: 'multi-role.v2',
    request,
    artifactHash: () => launchCommitments(request).artifactHash,
    reportedFindings: (findings) => findings,
    // Rules of this family use no codes of another one.
    refusing: (findings) => travellingFindings(withInventoryBindings(request, findings as readonly Finding[])),
    scan: () => judge(MULTI_ROLE_SCAN, { request }),
    source: () => judge(MULTI_ROLE_SOURCE, { request }),
    graph: (facts) => judge(MULTI_ROLE_GRAPH, { request, ...facts }),
    externals: (externalCodes) => judge(MULTI_ROLE_EXTERNALS, { request, externalCodes }),
    deployment: (materialized) => judge(MULTI_ROLE_DEPLOYMENT, { request, materialized }),
    economics() {
      const economics = economicsOf(request);
      return { findings: judge(MULTI_ROLE_ECONOMICS, { economics }), verdict: economics() };
    },
    rehearsal(economicsHash, requestHash, storage) {
      const { transaction, overrides } = rehearsalOf(request, { requestHash, economicsHash }, storage);
      return { transactions: [transaction], overrides };
    },
    reverted: (data, message) => revertFinding(data, message),
    transactions(signed) {
      const { from, to, value, data } = walletTransactionOf(request, signed);
      return [{ from, to, value: BigInt(value), data }];
    },
    initialBuy: null,
    maxGasCostWei: null,
    handoff: ({ ref, signed, createdAt, simulation }) =>
      walletHandoffSchema.parse({
        schemaVersion: 'service.multi-role-wallet-handoff.v2',
        requestSha256: ref.requestSha256,
        requestHash: ref.requestHash,
        contextHash: ref.contextHash,
        artifactHash: launchCommitments(request).artifactHash,
        permitDigest: signed.permitDigest,
        validAfter: request.permitWindow.validAfter,
        deadline: request.permitWindow.deadline,
        createdAt,
        simulation,
        walletTransaction: walletTransactionOf(request, signed),
      } satisfies WalletHandoff),
  };
}
