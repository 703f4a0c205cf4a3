import { describe, expect, it } from '@jest/globals';
import { canonicalSha256 } from '@launch/contracts/primitives';
import type { Answer } from './answer.js';
import { answersOf } from './answers.js';
import type { CoinFacts } from './coin-facts.js';
import { coinOf, provisional, SOURCES } from './coins.fixture.js';

const answer = (facts: CoinFacts, id: Answer['id']): Answer => answersOf(facts).find((one) => one.id === id)!;
const certaintiesOf = (facts: CoinFacts): Record<string, string> =>
  Object.fromEntries(answersOf(facts).map(({ id, certainty }) => [id, certainty]));
const gettersOf = ({ evidence }: Answer): Record<string, string | null> =>
  Object.fromEntries(evidence.flatMap((one) => (one.is === 'getter' ? [[one.name, one.answer]] : [])));

const FOUNDATION = SOURCES.filter((source) => source.startsWith('module-foundation-v1'));
const LAUNCHERS = ['module-native-v1', 'module-native-v2', 'module-engine-v1'];
const ROUTERS = ['custom-multi-role-v2', 'custom-router-v1'];
const ETHEREUM = ['ethereum-custom-v1', 'ethereum-custom-v1-graph'];

describe('The recorded coins', () => {
  it.each(SOURCES)('have the verification document that their record names: %s.', (source) => {
    const { indexed, verification } = coinOf(source);
    expect(canonicalSha256(verification)).toBe(indexed!.launch.verificationDigest);
  });

  it('cover every source.', () => {
    expect(SOURCES).toHaveLength(FOUNDATION.length + LAUNCHERS.length + ROUTERS.length + ETHEREUM.length);
    expect(FOUNDATION).toHaveLength(3);
  });
});

describe('The certainty of the answers', () => {
  it.each(FOUNDATION)('of %s: fees and lock are proven.', (source) => {
    expect(certaintiesOf(coinOf(source))).toEqual({
      fees: 'proven',
      locked: 'proven',
      changes: 'stated',
      source: 'unknown',
      finality: 'proven',
      creator: 'proven',
    });
  });
  it.each([
    ['custom-multi-role-v2', 'unknown'],
    ['custom-router-v1', 'proven'],
  ])('of %s: fees and lock are stated, the source is %s.', (source, certainty) => {
    expect(certaintiesOf(coinOf(source))).toEqual({
      fees: 'stated',
      locked: 'stated',
      changes: 'stated',
      source: certainty,
      finality: 'proven',
      creator: 'proven',
    });
  });
  it.each([...LAUNCHERS, ...ETHEREUM])('of %s: only finality and creator are proven.', (source) => {
    expect(certaintiesOf(coinOf(source))).toEqual({
      fees: 'unknown',
      locked: 'unknown',
      changes: 'unknown',
      source: 'unknown',
      finality: 'proven',
      creator: 'proven',
    });
  });
  it.each(SOURCES)('of %s proves nothing before the launch is final.', (source) => {
    expect(Object.values(certaintiesOf(provisional(coinOf(source))))).not.toContain('proven');
  });
  it.each(SOURCES)('of %s is only unknown when neither the record nor the list could be read.', (source) => {
    const facts = { ...coinOf(source), row: null, indexed: null, verification: null, record: null, presentation: null };
    expect(new Set(Object.values(certaintiesOf(facts)))).toEqual(new Set(['unknown']));
  });
  it.each(SOURCES)('of %s has evidence for every proven and stated answer.', (source) => {
    for (const { certainty, evidence } of answersOf(coinOf(source)))
      if (certainty !== 'unknown') expect(evidence.length).toBeGreaterThan(0);
  });
});

describe('What a trade costs', () => {
  it('is read from the digests of the hook: one rate for both directions.', () => {
    const fees = answer(coinOf('module-foundation-v1 V1'), 'fees');
    expect(fees.answer).toContain('Each buy and each sell costs 2% (1% for the platform, 1% for the creator).');
    expect(gettersOf(fees)).toMatchObject({ 'hook.platformFeeBps': '100', 'hook.creatorFeeBps': '100' });
  });
  it('is read from the digests of the hook: a rate for each direction.', () => {
    const fees = answer(coinOf('module-foundation-v1 V3'), 'fees');
    expect(fees.answer).toContain('Each buy costs 1.3% (0.3% for the platform, 1% for the creator).');
    expect(fees.answer).toContain('Each sell costs 2.3% (0.3% for the platform, 2% for the creator).');
    expect(gettersOf(fees)).toMatchObject({ 'hook.creatorBuyFeeBps': '100', 'hook.creatorSellFeeBps': '200' });
  });
  it('is no more than stated when a digest is of no rate that the release accepts.', () => {
    const facts = coinOf('module-foundation-v1 V3');
    const reads = facts.verification!.reads.map((one) =>
      one.read.name === 'hook.creatorSellFeeBps' ? { ...one, answerSha256: `sha256:${'0'.repeat(64)}` } : one,
    );
    const fees = answer({ ...facts, verification: { ...facts.verification!, reads } }, 'fees');
    expect(fees.certainty).toBe('stated');
    expect(fees.answer).not.toContain('2.3%');
  });
  it('is no more than stated when the hook names another creator than the record.', () => {
    const facts = coinOf('module-foundation-v1 V3');
    const creator = '0x1A3c5E7092B4D6F8091A2B3c4D5E6f7081920cc0';
    const indexed = { ...facts.indexed!, launch: { ...facts.indexed!.launch, creator } };
    expect(answer({ ...facts, indexed }, 'fees').certainty).toBe('stated');
  });
  it('names the recipient of the platform where the public record does.', () => {
    const facts = coinOf('custom-multi-role-v2');
    const record = facts.record?.feed === 'multi-role' ? facts.record.record : null;
    const fees = answer(facts, 'fees');
    expect(fees.answer).toContain("names the platform's recipient");
    expect(fees.evidence).toContainEqual({
      is: 'value',
      label: "The platform's recipient",
      value: record!.chainBindings.platformFeeRecipient,
    });
    expect(answer(coinOf('custom-router-v1'), 'fees').answer).toContain('name neither recipient');
  });
});

describe('What is locked', () => {
  it('is proven by the owner of the position.', () => {
    const locked = answer(coinOf('module-foundation-v1 V2'), 'locked');
    expect(gettersOf(locked)['custody.ownerOf']).toBe('0x000000000000000000000000000000000000dEaD');
  });
  it('is not proven by a position of another owner.', () => {
    const facts = coinOf('module-foundation-v1 V2');
    const reads = facts.verification!.reads.map((one) =>
      one.read.name === 'custody.ownerOf'
        ? { ...one, answerSha256: canonicalSha256({ kind: 'returned', data: `0x${'1'.padStart(64, '0')}` }) }
        : one,
    );
    expect(answer({ ...facts, verification: { ...facts.verification!, reads } }, 'locked').certainty).toBe('stated');
  });
});

describe('Whether the source is verified', () => {
  it('shows the code of each component that the verification document proves.', () => {
    const facts = coinOf('custom-router-v1');
    const source = answer(facts, 'source');
    expect(source.answer).toContain('each of its 3 components');
    expect(source.evidence.filter((one) => one.is === 'getter')).toHaveLength(3);
  });
  it('does not count a component whose code is another one.', () => {
    const facts = coinOf('custom-router-v1');
    const { record } = facts;
    if (record?.feed !== 'custom-launch') throw new TypeError('a record of the feed of custom launches');
    const [first, ...others] = record.record.sourceVerification.components;
    const components = [{ ...first!, runtimeCodeHash: `0x${'1'.repeat(64)}` }, ...others];
    const changed = {
      ...record,
      record: { ...record.record, sourceVerification: { ...record.record.sourceVerification, components } },
    };
    expect(answer({ ...facts, record: changed }, 'source').evidence.filter((one) => one.is === 'getter')).toHaveLength(
      2,
    );
  });
  it('is only stated while the record that shows it is unread.', () => {
    expect(answer(coinOf('custom-router-v1', { record: null }), 'source').certainty).toBe('stated');
  });
  it('quotes the record that claims no verification by others.', () => {
    expect(answer(coinOf('custom-multi-role-v2'), 'source').answer).toContain('"not verified" for Sourcify');
  });
});

describe('Whether a coin is final', () => {
  it('is unknown while the index holds its block.', () => {
    const facts = coinOf('module-native-v1');
    const axes = { ...facts.indexed!.axes, finality: 'INDETERMINATE' as const };
    expect(answer({ ...facts, indexed: { ...facts.indexed!, axes } }, 'finality')).toMatchObject({
      certainty: 'unknown',
      answer: expect.stringContaining('a hold'),
    });
  });
  it.each([
    ['sequencer_soft_confirmed', 'its block is not on Ethereum'],
    ['ethereum_posted', 'Ethereum has not finalized it'],
  ] as const)('is told by the stage before: %s.', (finalityStage, said) => {
    const facts = provisional(coinOf('custom-router-v1'));
    const finality = answer({ ...facts, row: { ...facts.row!, finalityStage } }, 'finality');
    expect(finality.answer).toContain('Not yet.');
    expect(finality.answer).toContain(said);
  });
  it.each(ROUTERS)('names the finalized block of Ethereum in the record of %s.', (source) => {
    const { evidence } = answer(coinOf(source), 'finality');
    expect(evidence).toContainEqual(expect.objectContaining({ is: 'block', label: 'The finalized block of Ethereum' }));
  });
});

describe('Who created a coin', () => {
  it.each(SOURCES)('is the creator of the record, with the read that names it: %s.', (source) => {
    const facts = coinOf(source);
    const creator = answer(facts, 'creator');
    expect(creator.answer).toContain(facts.indexed!.launch.creator);
    expect(Object.keys(gettersOf(creator))).not.toHaveLength(0);
  });
  it('is a contract for a Foundation graph, whose wallet is unknown.', () => {
    expect(answer(coinOf('ethereum-custom-v1-graph'), 'creator').answer).toContain('a contract. The wallet');
  });
});
