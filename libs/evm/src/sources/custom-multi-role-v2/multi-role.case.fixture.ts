import type { Abi } from 'viem';
import type { Hex } from '../../encoding/hex.js';
import { ROUTER_V2_ABI } from '../../launch-call/router-v2.abi.js';
import { sampleCall, samplePermit, sampleRouter } from '../../launch-call/sample-launch.fixture.js';
import { expectedStamp } from '../../stamp/expected-stamp.js';
import { encodeStampLog } from '../../stamp/launch-stamp.js';
import {
  account,
  receiptOf,
  SOURCE,
  talkativeToken,
  type AskedContract,
  type SourceCase,
} from '../fixtures/source-case.fixture.js';
import { CUSTOM_MULTI_ROLE_V2 } from './multi-role.adapter.js';

const stamp = expectedStamp(sampleRouter, sampleCall, samplePermit);
const { router } = sampleRouter;
const known = <T>(isKnown: boolean, value: T, unknown: T): T => (isKnown ? value : unknown);
const ZERO: Hex = `0x${'00'.repeat(32)}`;

const routerV2: AskedContract = {
  abi: ROUTER_V2_ABI as Abi,
  codeHash: SOURCE.runtimeCodeHash,
  answers: {
    CHAIN_ID: () => 4663n,
    poolManager: () => account('77'),
    launchIdByToken: (token: Hex) => known(token.toLowerCase() === stamp.token, stamp.launchId, ZERO),
    launchIdByPool: (pool: Hex) => known(pool === stamp.poolId, stamp.launchId, ZERO),
    launchStamp: () => [samplePermit.controller, stamp.token, stamp.hook, stamp.poolId, stamp.permitDigest],
    stampProof: () => stamp.stampProof,
    permitUsed: (digest: Hex) => digest === stamp.permitDigest,
    nonceUsed: (_controller: Hex, nonce: bigint) => nonce === samplePermit.nonce,
    componentProof: (_launch: Hex, component: Hex) =>
      stamp.accounts.find((one) => one.account === component.toLowerCase())?.proof ?? ZERO,
    launchIdByComponent: (component: Hex) =>
      known(
        stamp.accounts.some((one) => one.account === component.toLowerCase() && one.scope !== 2),
        stamp.launchId,
        ZERO,
      ),
  },
};

/** The sample launch as router V2 stamps it, with a foreign log between its own. */
export const MULTI_ROLE_CASE: SourceCase = {
  adapter: CUSTOM_MULTI_ROLE_V2,
  source: {
    ...SOURCE,
    sourceVersion: 'custom-multi-role-v2',
    address: router,
    contracts: { poolManager: { address: account('77'), runtimeCodeHash: SOURCE.runtimeCodeHash } },
  },
  receipt: receiptOf(
    stamp.events.flatMap((event, index) => [
      ...(index === 2 ? [{ address: account('99'), ...encodeStampLog(event) }] : []),
      { address: router, ...encodeStampLog(event) },
    ]),
  ),
  contracts: {
    [router]: routerV2,
    ...Object.fromEntries(
      stamp.accounts.map(({ account: stamped, runtimeCodeHash }) => [stamped, talkativeToken(runtimeCodeHash)]),
    ),
  },
};
export const MULTI_ROLE_STAMP = stamp;
