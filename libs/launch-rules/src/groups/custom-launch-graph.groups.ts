import { customLaunchFinding } from '@launch/contracts/errors';
import type { Hex } from '@launch/contracts/primitives';
import { calldataByteLength, launchPermitV1Of, launchV1Calls, NATIVE20_SEED_POOL } from '@launch/evm';
import { contractFindings, poolFindings } from './request-graph.findings.js';
import { customLaunchFindings, type CustomLaunchGroup, type CustomLaunchRequestFact } from './custom-launch.group.js';

const NATIVE = `0x${'0'.repeat(40)}`;
const ZERO_HASH: Hex = `0x${'00'.repeat(32)}`;
/** Calldata does not depend on the signature's value, only on its 65 bytes. */
const SIGNATURE_SHAPE: Hex = `0x${'00'.repeat(65)}`;

/** Judges roles, addresses and accounts; token, hook and initializer must be three components. */
export const CUSTOM_LAUNCH_CONTRACTS: CustomLaunchGroup<CustomLaunchRequestFact> = {
  name: 'graph',
  find: (facts) => customLaunchFindings(contractFindings(facts.request), facts),
};

const KEY = '/graphBundle/officialPool/poolKey';
/** Members of the pool's key that the profile fixes. */
const FIXED_BY_PROFILE: ReadonlySet<string> = new Set([`${KEY}/currency0`, `${KEY}/fee`, `${KEY}/tickSpacing`]);

/** Requires a priced and seeded pool of this graph's token and hook. */
export const CUSTOM_LAUNCH_POOL: CustomLaunchGroup<CustomLaunchRequestFact> = {
  name: 'pool',
  find: (facts) =>
    customLaunchFindings(
      poolFindings(facts.request).filter(({ path }) => !FIXED_BY_PROFILE.has(path)),
      facts,
    ),
};

/**
 * Requires the one kind of pool that the profile launches, regardless of evidence: native currency, no LP fee, spacing
 * 60.
 */
export const POOL_KIND: CustomLaunchGroup<CustomLaunchRequestFact> = {
  name: 'pool-kind',
  find({ request }) {
    const { currency0, fee, tickSpacing } = request.graphBundle.officialPool.poolKey;
    const scenario = (id: string): string => `The profile launches no other pool (scenario ${id}).`;
    return [
      ...(currency0 === NATIVE
        ? []
        : [
            customLaunchFinding('GRAPH_POOL_INVALID', `${KEY}/currency0`, {
              expected: NATIVE,
              actual: currency0,
              detail: scenario('non-native-pair'),
            }),
          ]),
      ...(
        [
          ['fee', NATIVE20_SEED_POOL.fee, fee],
          ['tickSpacing', NATIVE20_SEED_POOL.tickSpacing, tickSpacing],
        ] as const
      ).flatMap(([member, expected, actual]) =>
        expected === actual
          ? []
          : [
              customLaunchFinding('GRAPH_POOL_INVALID', `${KEY}/${member}`, {
                expected: String(expected),
                actual: String(actual),
                detail: scenario('reviewed-native20-seed'),
              }),
            ],
      ),
    ];
  },
};

/** Requires that the chain accepts the size of every transaction of the launch. */
export const CALLDATA: CustomLaunchGroup<CustomLaunchRequestFact> = {
  name: 'calldata',
  after: ['graph', 'pool', 'funding'],
  find({ request }) {
    const limit = request.context.profile.limits.transactionBytes;
    const { context } = request;
    const permit = launchPermitV1Of(request, context, { requestHash: ZERO_HASH, economicsHash: ZERO_HASH });
    return launchV1Calls(request, context, { permit, signature: SIGNATURE_SHAPE }).flatMap(({ data }, index, calls) => {
      const bytes = calldataByteLength(data);
      if (bytes <= limit) return [];
      const place = index < calls.length - 1 ? `/components/${index}` : '';
      return [
        customLaunchFinding('GRAPH_CALLDATA_TOO_LARGE', `/graphBundle${place}`, {
          expected: `at most ${limit} bytes of calldata`,
          actual: String(bytes),
          detail: 'A sequential plan sends one transaction a component.',
        }),
      ];
    });
  },
};
