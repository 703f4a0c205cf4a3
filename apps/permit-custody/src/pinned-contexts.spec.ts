import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CustomLaunchContext } from '@launch/contracts/launch';
import { canonicalJsonText } from '@launch/contracts/json';
import type { LaunchContext } from '@launch/contracts/multi-role';
import { canonicalKeccak } from '@launch/contracts/primitives';
import { instructionPolicyHash, REACHABLE_INSTRUCTION_POLICY } from '@launch/evm';
import { custodyContext } from './fixtures/custom-launch.fixture.js';
import { AUTHORITY, CONTROLLER, filed, fixtureContext, ROUTER } from './fixtures/launch.fixture.js';
import { pinContexts, pinCustomLaunchContexts } from './pinned-contexts.js';
import { filedDocuments } from '@launch/platform';

const word = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const address = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`;
const altered = (change: (context: LaunchContext) => void): LaunchContext => {
  const context = fixtureContext();
  change(context);
  return context;
};
const useReachable = ({ profile }: LaunchContext): void => {
  profile.instructionPolicy = {
    id: REACHABLE_INSTRUCTION_POLICY.id,
    policyHash: instructionPolicyHash(REACHABLE_INSTRUCTION_POLICY),
    document: JSON.parse(JSON.stringify(REACHABLE_INSTRUCTION_POLICY)) as Record<string, unknown>,
  };
};

/** Contexts for which no custody signs, whether current or previous. */
const impossible: readonly [string, LaunchContext, string][] = [
  [
    'another permit authority',
    altered(({ chainBindings }) => {
      chainBindings.permitAuthorities = [CONTROLLER];
    }),
    'the permit key is not a permit authority',
  ],
  [
    'two routers',
    altered(({ chainBindings }) => {
      chainBindings.router = address('9');
    }),
    'names two routers',
  ],
  [
    'an unknown policy',
    altered(({ profile }) => {
      profile.instructionPolicy.id = 'service.runtime-instructions.reachable.v2';
    }),
    'no instruction policy of this build',
  ],
  [
    'a policy under another hash',
    altered(({ profile }) => {
      profile.instructionPolicy.policyHash = word('9');
    }),
    'no instruction policy of this build',
  ],
  [
    'an edited policy under the known hash',
    altered(({ profile }) => {
      profile.instructionPolicy.document['forbidden'] = [];
    }),
    'no instruction policy of this build',
  ],
];

describe('The pinned context', () => {
  it('is the context of new requests and names one router', () => {
    const context = fixtureContext();
    expect(pinContexts(canonicalJsonText(context), [], AUTHORITY)).toEqual({
      currentHash: canonicalKeccak(context),
      acceptedHashes: new Set([canonicalKeccak(context)]),
      router: { chainId: 4663n, router: ROUTER },
    });
  });

  it.each(impossible)('is refused when it has %s', (_name, context, reason) => {
    expect(() => pinContexts(canonicalJsonText(context), [], AUTHORITY)).toThrow(reason);
  });

  it.each([
    ['an object without fields', '{}'],
    ['another chain', canonicalJsonText({ ...fixtureContext(), chainId: '1' })],
    ['a field of its own', canonicalJsonText({ ...fixtureContext(), note: '' })],
    ['a repeated key', canonicalJsonText(fixtureContext()).replace('{"', '{"chainId":"4663","')],
    ['nothing', ''],
  ])('is refused when its document is no context: %s', (_name, document) => {
    expect(() => pinContexts(document, [], AUTHORITY)).toThrow('the configured context is no context');
  });
});

describe('A previous context', () => {
  const current = canonicalJsonText(fixtureContext('release-b'));
  const previous = fixtureContext('release-a');

  it('is accepted beside the current one', () => {
    const { currentHash, acceptedHashes } = pinContexts(current, [filed(previous)], AUTHORITY);
    expect(currentHash).toBe(canonicalKeccak(fixtureContext('release-b')));
    expect(acceptedHashes).toEqual(new Set([currentHash, canonicalKeccak(previous)]));
  });

  it('may be of a release with other recipes, compilers, observers, limits and without newer fields', () => {
    const older = altered(({ profile, providerProfile }) => {
      profile.recipes = [];
      profile.compilerVersions = ['0.8.20'];
      profile.limits.transactionBytes = 50_000;
      providerProfile.l2Observers[0]!.originCommitment = word('9');
    });
    const newer = altered(({ profile }) => {
      profile.derivedContractFinality = 'service.derived-contract-finality.v3';
      profile.runtimeRelease = {
        schemaVersion: 'service.multi-role-runtime-release-instance.v2',
        sourceCommit: '1'.repeat(40),
        sourceTree: '2'.repeat(40),
      };
    });
    expect(pinContexts(canonicalJsonText(newer), [filed(older)], AUTHORITY).acceptedHashes).toContain(
      canonicalKeccak(older),
    );
  });

  const other: readonly [string, LaunchContext, string][] = [
    ...impossible,
    [
      'another router',
      altered(({ chainBindings, chainDeployment }) => {
        chainBindings.router = chainDeployment.router.address = address('9');
      }),
      'another router',
    ],
    [
      'other code at the same router',
      altered(({ chainDeployment }) => {
        chainDeployment.router.runtimeCodeHash = word('9');
      }),
      'another router',
    ],
    ['the other policy on the same router', altered(useReachable), 'another instruction policy'],
  ];
  it.each(other)('of %s is refused', (_name, context, reason) => {
    expect(() => pinContexts(current, [filed(context)], AUTHORITY)).toThrow(reason);
  });

  it.each([
    ['a later edit', { ...filed(previous), document: canonicalJsonText(fixtureContext('release-c')) }],
    ['a trailing line break', { ...filed(previous), document: `${canonicalJsonText(previous)}\n` }],
    ['indentation', { ...filed(previous), document: JSON.stringify(previous, null, 2) }],
  ])('is refused when its document has %s', (_name, file) => {
    expect(() => pinContexts(current, [file], AUTHORITY)).toThrow('another document than its name says');
  });
});

describe('The contexts of custom launches and plans', () => {
  const [current, previous] = [custodyContext(({ profile }) => (profile.profileId = 'next')), custodyContext()];

  it('are pinned alike, and found by the hash in a request', () => {
    const hashes = [canonicalKeccak(current), canonicalKeccak(previous)] as const;
    const pinned = pinCustomLaunchContexts(canonicalJsonText(current), [filed(previous)], AUTHORITY);
    expect(pinned).toMatchObject({ currentHash: hashes[0], router: { chainId: 4663n, router: ROUTER } });
    expect(pinned.acceptedHashes).toEqual(new Set(hashes));
    expect(pinned.contexts.get(hashes[1])).toEqual(previous);
  });

  it.each<[string, CustomLaunchContext, string]>([
    [
      'another permit authority',
      custodyContext(({ chainBindings }) => (chainBindings.permitAuthorities = [CONTROLLER])),
      'the permit key is not a permit authority',
    ],
    ['two routers', custodyContext(({ chainBindings }) => (chainBindings.router = address('9'))), 'names two routers'],
    [
      'another router than the current one',
      custodyContext((context) => {
        context.chainBindings.router = context.chainDeployment.router.address = address('9');
      }),
      'of another router',
    ],
  ])('are refused when they have %s', (_name, context, reason) => {
    expect(() => pinCustomLaunchContexts(canonicalJsonText(current), [filed(context)], AUTHORITY)).toThrow(reason);
  });

  it('are never those of multi-role launches', () => {
    expect(() => pinCustomLaunchContexts(canonicalJsonText(fixtureContext()), [], AUTHORITY)).toThrow('is no context');
    expect(() => pinContexts(canonicalJsonText(current), [], AUTHORITY)).toThrow('is no context');
  });
});

describe('The folder of previous contexts', () => {
  const previous = filed(fixtureContext('release-a'));
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'contexts-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const read = (from = folder) => filedDocuments().safeParse(from);
  const write = (name: string, text: string) => writeFile(path.join(folder, name), text);

  it('is read by names that are hashes, and hidden names are skipped', async () => {
    await write(`${previous.contextHash}.json`, previous.document);
    await write('.gitkeep', '');
    await mkdir(path.join(folder, '..data'));
    expect(read().data).toEqual([previous]);
  });

  it('may be empty', () => expect(read().data).toEqual([]));

  it.each([
    ['a file under another name', () => write('context.json', previous.document), 'something else'],
    [
      'a checksummed name',
      () => write(`${previous.contextHash.toUpperCase().replace('0X', '0x')}.json`, previous.document),
      'something else',
    ],
    ['a folder in it', () => mkdir(path.join(folder, `${previous.contextHash}.json`)), 'something else'],
    ['a file of more than 64 KiB', () => write(`${previous.contextHash}.json`, ' '.repeat(65_537)), 'something else'],
    [
      'more than 16 files',
      async () => {
        for (let index = 10; index < 27; index += 1) await write(`${word('a').slice(0, -2)}${index}.json`, '{}');
      },
      'more than 16',
    ],
  ])('is refused with %s', async (_name, spoil, reason) => {
    await spoil();
    expect(read().error?.issues[0]?.message).toContain(reason);
  });

  it('is refused if it is missing', () =>
    expect(read(path.join(folder, 'absent')).error?.issues[0]?.message).toContain('readable folder'));
});
