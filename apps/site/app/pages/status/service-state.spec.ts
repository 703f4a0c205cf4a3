import { describe, expect, it } from '@jest/globals';
import { aSource, discovered, FINALITY, READINESS, someReads, UNREAD, value } from './service-reads.fixture.js';
import { agreementsOf, chainLags, gatesOf, summaryOf, type ServiceReads } from './service-state.js';

const gates = (changes: Partial<typeof READINESS.gates>) =>
  value({ ...READINESS, gates: { ...READINESS.gates, ...changes } });
const index = (status: 'stale' | 'indeterminate'): ServiceReads['index'] => {
  const read = someReads().index;
  return read.is === 'value' ? value({ ...read.value, status }) : read;
};

describe('The summary of the service', () => {
  it('is one good sentence while everything works', () => {
    expect(summaryOf(someReads())).toEqual({
      tone: 'good',
      says: 'The list of coins is current, new launches are open, and every final launch up to the newest final block has been searched.',
    });
  });

  it.each<[string, Partial<ServiceReads>]>([
    [
      'new launches are closed',
      { readiness: gates({ publicWrites: false }), discovery: discovered({ publicWrites: false }) },
    ],
    ['contradicts itself', { discovery: discovered({ releaseReady: false }) }],
    ['new launches wait for the service', { readiness: value({ ...READINESS, status: 'unavailable' }) }],
    ['unknown whether new launches are open', { readiness: UNREAD }],
    ['behind the chains', { index: index('stale') }],
    ['may be incomplete', { index: index('indeterminate') }],
    ['the state of the list of coins is unknown', { index: UNREAD }],
    ['catching up', { finality: value({ ...FINALITY, status: 'catching_up' }) }],
    ['makes no progress', { finality: value({ ...FINALITY, status: 'unavailable' }) }],
    ['the state of the search for final launches is unknown', { finality: UNREAD }],
  ])('says with caution "%s"', (said, changes) => {
    const { tone, says } = summaryOf(someReads(changes));
    expect(tone).toBe('caution');
    expect(says.toLowerCase()).toContain(said.toLowerCase());
  });

  it('says that nothing is known while no route answers', () => {
    const reads = Object.fromEntries(Object.keys(someReads()).map((name) => [name, UNREAD])) as unknown as ServiceReads;
    const { tone, says } = summaryOf(reads);
    expect(tone).toBe('bad');
    expect(says).toContain('cannot reach');
  });
});

describe('The gates', () => {
  it('are those of readiness, and a contradiction of discovery is marked', () => {
    const shown = gatesOf(someReads({ discovery: discovered({ publicAuthorization: false }) }));
    expect(shown.map(({ name, isOpen, contradicts }) => [name, isOpen, contradicts])).toEqual([
      ['publicWrites', true, false],
      ['publicAuthorization', true, true],
      ['releaseReady', true, false],
    ]);
  });

  it('contradict nothing while discovery is unknown, and are none without readiness', () => {
    expect(gatesOf(someReads({ discovery: UNREAD })).some(({ contradicts }) => contradicts)).toBe(false);
    expect(gatesOf(someReads({ readiness: UNREAD }))).toEqual([]);
  });
});

describe('The lag of a chain', () => {
  const lagOf = (...sources: Parameters<typeof chainLags>[0]['sources'][number][]) => chainLags({ sources })[1];

  it('is that of its slowest source, confirmed at the earliest time', () => {
    expect(
      lagOf(
        aSource({
          lagBlocks: '3',
          freshness: 'stale',
          finalizedHead: '100',
          checkpoint: { number: '97', hash: '0x', confirmedAt: '2026-11-28T11:00:00.000Z' },
        }),
        aSource({ lagBlocks: '0', finalizedHead: '101' }),
        aSource({ chainId: 1, lagBlocks: '9' }),
      ),
    ).toEqual({
      chainId: 4663,
      sources: 2,
      behind: 1,
      finalizedHead: 101n,
      lagBlocks: 3n,
      confirmedAt: '2026-11-28T11:00:00.000Z',
    });
  });

  it('is unknown while one source has none', () => {
    expect(lagOf(aSource(), aSource({ lagBlocks: null, checkpoint: null }))).toMatchObject({
      lagBlocks: null,
      confirmedAt: null,
    });
  });

  it('ignores a source that has ended', () => {
    expect(lagOf(aSource(), aSource({ state: 'ended', lagBlocks: '99' }))).toMatchObject({ sources: 1, lagBlocks: 0n });
  });

  it('is unknown for a chain without sources', () => {
    expect(chainLags({ sources: [] })[0]).toEqual({
      chainId: 1,
      sources: 0,
      behind: 0,
      finalizedHead: null,
      lagBlocks: null,
      confirmedAt: null,
    });
  });
});

describe('The agreement of the providers', () => {
  const says = (changes: Partial<ServiceReads>) => agreementsOf(someReads(changes)).map((one) => one.says);
  it.each<[Partial<ServiceReads>, readonly string[]]>([
    [{}, ['agree', 'agree']],
    [{ readiness: value({ ...READINESS, checkpoint: null }) }, ['differ', 'agree']],
    [{ readiness: value({ ...READINESS, reasonCodes: ['OBSERVERS_INDETERMINATE'] }) }, ['differ', 'agree']],
    [
      { finality: value({ ...FINALITY, recovery: { ...FINALITY.recovery!, observation: 'indeterminate' } }) },
      ['agree', 'differ'],
    ],
    [{ readiness: UNREAD, finality: value({ ...FINALITY, recovery: null }) }, ['unknown', 'unknown']],
  ])('with %j is %j', (changes, expected) => {
    expect(says(changes)).toEqual(expected);
  });

  it('is not blamed on the providers while the site could not ask', () => {
    const evidence = agreementsOf(someReads({ readiness: UNREAD, finality: UNREAD })).map((one) => one.evidence);
    expect(evidence.every((text) => text.startsWith('The site could not read'))).toBe(true);
  });
});
