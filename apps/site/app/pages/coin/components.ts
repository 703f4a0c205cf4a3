import type { CoinFacts, FeedRecord, LaunchRecord } from './coin-facts.js';
import { provenCode } from './evidence.js';

/** A contract of a coin. */
export interface CoinContract {
  readonly account: string;
  readonly role: string;
  /** keccak-256 of its code at the block of the launch; null where the public records have at most a digest of it. */
  readonly codeHash: string | null;
  /** The digest of the code hash in the verification document; null for a contract whose code the index did not read. */
  readonly codeDigest: string | null;
  /** Whether the verification document proves the hash. */
  readonly isProven: boolean;
}

const ROLE_BITS = [
  [1, 'token'],
  [2, 'hook'],
  [4, 'initializer'],
  [8, 'liquidity custody'],
  [16, 'fee vault'],
  [32, 'module'],
] as const;

/** Returns the roles of a mask of router V2 in words. An account without a role existed before the launch. */
const rolesOf = (mask: number): string =>
  ROLE_BITS.flatMap(([bit, name]) => ((mask & bit) === 0 ? [] : [name])).join(' and ') || 'external contract';

/** Names of the code reads whose account is no part of the coin, but made or holds it. */
const MAKERS: Readonly<Record<string, string>> = {
  'router.code': 'router that stamped it',
  'factory.code': 'factory that made it',
  'launcher.code': 'launcher that made it',
  'custody.code': 'custody of its liquidity',
};

interface Named {
  readonly role: string;
  readonly codeHash: string;
}

/** Returns roles and code hashes of a feed record by lowercase account. */
function namedBy(record: FeedRecord | null): ReadonlyMap<string, Named> {
  if (record?.feed === 'multi-role')
    return new Map(
      record.record.components.map(({ account, roleMask, runtimeCodeHash }) => [
        account.toLowerCase(),
        { role: rolesOf(roleMask), codeHash: runtimeCodeHash },
      ]),
    );
  if (record?.feed === 'custom-launch')
    return new Map(
      record.record.sourceVerification.components.map(({ address, targetId, runtimeCodeHash }) => [
        address.toLowerCase(),
        { role: targetId, codeHash: runtimeCodeHash },
      ]),
    );
  return new Map();
}

/** Returns the roles that the record of the launch names by lowercase account. */
function rolesInRecord({ tokenAddress, hookAddress, runtime, poolManager }: LaunchRecord): ReadonlyMap<string, string> {
  const roles = new Map<string, string[]>();
  for (const [account, role] of [
    [tokenAddress, 'token'],
    [hookAddress, 'hook'],
    [runtime, "program's contract"],
    [poolManager, 'pool manager'],
  ] as const)
    if (account !== null) roles.set(account.toLowerCase(), [...(roles.get(account.toLowerCase()) ?? []), role]);
  return new Map([...roles].map(([account, names]) => [account, names.join(' and ')]));
}

/**
 * Returns the contracts of a coin: those whose code the index read, then the others that the record names. Roles come from the
 * feed record, else from the record of the launch; a role in neither is unknown.
 */
export function contractsOf({ indexed, verification, record }: CoinFacts): readonly CoinContract[] {
  if (indexed === null) return [];
  const inRecord = rolesInRecord(indexed.launch);
  const inFeed = namedBy(record);
  const read = (verification?.reads ?? []).flatMap(({ read: { kind, name, to }, answerSha256 }) =>
    kind === 'code' ? [{ account: to.toLowerCase(), maker: MAKERS[name] ?? null, answerSha256 }] : [],
  );
  const digests = new Map(read.map(({ account, answerSha256 }) => [account, answerSha256]));
  const makers = new Map(read.flatMap(({ account, maker }) => (maker === null ? [] : [[account, maker] as const])));
  const accounts = new Set([...read.map(({ account }) => account), ...inFeed.keys(), ...inRecord.keys()]);
  return [...accounts].map((account) => {
    const codeHash = inFeed.get(account)?.codeHash ?? null;
    return {
      account,
      role: inRecord.get(account) ?? makers.get(account) ?? inFeed.get(account)?.role ?? 'role not recorded',
      codeHash,
      codeDigest: digests.get(account) ?? null,
      isProven: codeHash !== null && provenCode(verification, account, codeHash) !== null,
    };
  });
}
