import { expect, it } from '@jest/globals';
import type { StampedTarget } from '@launch/chain';
import { customLaunchFinalizedSchema } from '@launch/contracts/custom-launch';
import { EVIDENCE, seen, word } from '../../../../libs/workflows/src/fixtures/observed.fixture.js';
import { customLaunchRecord } from './custom-launch-record.js';

const account = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`;
const LAUNCH = {
  request: {
    projectMetadata: { name: 'Coin', symbol: 'COIN' },
    graphBundle: { components: [{ componentId: 'token' }] },
  },
  target: {
    router: account('1'),
    stamp: {
      launchId: word('1'),
      stamp: { token: account('2'), hook: account('3'), poolManager: account('4'), poolId: word('2') },
      components: [{ account: account('2'), runtimeCodeHash: word('3') }],
    },
  } as unknown as StampedTarget,
} as unknown as Parameters<typeof customLaunchRecord>[0];

it('A record lists in each evidence object the observers that agreed on it, by id, time and digest of their answer alone.', () => {
  const record = customLaunchRecord(LAUNCH, 'launch', {
    launchId: '00000000-0000-4000-8000-000000000000',
    memory: seen('finalized', 1).memory,
    evidenceSha256: `sha256:${'e'.repeat(64)}`,
    finalizedAt: '2026-11-21T10:00:00.000Z',
  });
  const { l2Inclusion, l1Posting, l1FinalizedCheckpoint } = customLaunchFinalizedSchema.parse(record).onchain;
  expect(l2Inclusion).toEqual(EVIDENCE.inclusion);
  expect(l1Posting).toEqual(EVIDENCE.posting);
  expect(l1FinalizedCheckpoint).toEqual({ ...EVIDENCE.checkpoint, common: EVIDENCE.checkpoint.blockNumber });
  for (const { observers } of [l2Inclusion, l1Posting, l1FinalizedCheckpoint])
    for (const observer of observers)
      expect(Object.keys(observer).sort()).toEqual(['id', 'observedAt', 'responseSha256']);
});

it.each(['l2Inclusion', 'l1Posting', 'l1FinalizedCheckpoint'] as const)(
  'A record is not valid with one observer in %s, or with the address of one.',
  (part) => {
    const record = customLaunchRecord(LAUNCH, 'launch', {
      launchId: '00000000-0000-4000-8000-000000000000',
      memory: seen('finalized', 1).memory,
      evidenceSha256: `sha256:${'e'.repeat(64)}`,
      finalizedAt: '2026-11-21T10:00:00.000Z',
    });
    const { observers } = record.onchain[part];
    const faultOf = (changed: readonly object[]) =>
      customLaunchFinalizedSchema
        .safeParse({
          ...record,
          onchain: { ...record.onchain, [part]: { ...record.onchain[part], observers: changed } },
        })
        .error?.issues.map(({ code, path }) => [code, path.join('.')]);
    expect(faultOf(observers.slice(1))).toEqual([['too_small', `onchain.${part}.observers`]]);
    expect(faultOf([{ ...observers[0], url: 'https://provider.example' }, observers[1]!])).toEqual([
      ['unrecognized_keys', `onchain.${part}.observers.0`],
    ]);
  },
);
