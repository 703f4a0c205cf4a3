import { describe, expect, it } from '@jest/globals';
import { encodeAbiParameters, toEventSelector } from 'viem/utils';
import { launchRecordSchema, tokenMetadataSchema, type SourceLog } from '@launch/contracts/index';
import { testSeed } from '@launch/testing';
import { encodeStampLog } from '../stamp/launch-stamp.js';
import { encodeStampLogV1 } from '../router-v1/router-v1.stamp.js';
import { MULTI_ROLE_CASE, MULTI_ROLE_STAMP } from './custom-multi-role-v2/multi-role.case.fixture.js';
import { CUSTOM_ROUTER_V1 } from './custom-router-v1/router-v1.adapter.js';
import { ROUTER_V1_CASE, ROUTER_V1_STAMP } from './custom-router-v1/router-v1.case.fixture.js';
import { ETHEREUM_CUSTOM_V1 } from './ethereum-custom-v1/ethereum-router.adapter.js';
import { changedLogs, numbersFrom } from './fixtures/random-changes.fixture.js';
import { account, judged, reasonOf, turned, withLogs, word, type SourceCase } from './fixtures/source-case.fixture.js';
import { judgeEvidence, verificationOf } from './verification-document.js';

const CASES: readonly (readonly [string, SourceCase])[] = [
  ['router V2', MULTI_ROLE_CASE],
  ['router V1', ROUTER_V1_CASE],
];

/** The reason that each changed answer causes, by the first part of the read's name and the getter. */
const REASONS: Readonly<Record<string, string>> = {
  'router.code': 'SOURCE_RUNTIME_MISMATCH',
  'router.componentProof': 'COMPONENT_PROOF_MISMATCH',
  'router.launchIdByComponent': 'COMPONENT_PROOF_MISMATCH',
  'router.componentRuntimeCodeHash': 'COMPONENT_PROOF_MISMATCH',
};
const reasonFor = (name: string): string => {
  if (name.startsWith('token.')) return 'pass';
  if (/^0x[0-9a-f]{40}\.code$/.test(name)) return 'COMPONENT_CODE_MISMATCH';
  return REASONS[name.split(':')[0]!] ?? 'GETTER_MISMATCH';
};

const NAMES: ReadonlyMap<string, string> = new Map(
  CASES.flatMap(([, { adapter }]) =>
    adapter.abi.flatMap((item) => (item.type === 'event' ? [[toEventSelector(item), item.name] as const] : [])),
  ),
);
/** `LaunchRouteStamped` is a route, not a launch. */
const eventName = ({ topics }: SourceLog): string => NAMES.get(topics[0]!)!.replace('LaunchRoute', 'Route');

describe.each(CASES)('a launch by %s', (_name, one) => {
  it('passes with a record that fits the wire schema', () => {
    const { verdict } = judged(one);
    if (verdict.kind !== 'pass') throw new Error(verdict.reason);
    const { record, metadata } = verdict.launch;
    expect(launchRecordSchema.omit({ verificationDigest: true }).parse(record)).toEqual(record);
    expect(tokenMetadataSchema.parse(metadata)).toEqual(metadata);
    expect(record).toMatchObject({
      name: 'Blue Token',
      symbol: 'BLUE',
      decimals: 18,
      routerAddress: one.source.address,
    });
    expect(metadata).toMatchObject({ status: 'ok', imageUrl: 'ipfs://image' });
  });

  it('fails by a specific reason for each changed answer', () => {
    const { reads } = judged(one);
    for (const { name } of reads) {
      const { verdict } = judged(one, (read, answer) => (read.name === name ? turned(answer) : answer));
      // No event contains the permit, so nothing contradicts a changed hash over it.
      const expected = name === 'router.stampProof' && one === MULTI_ROLE_CASE ? 'pass' : reasonFor(name);
      expect([name, reasonOf(verdict)]).toEqual([name, expected]);
    }
  });

  it('fails if a getter reverts, and keeps a coin whose token does not answer', () => {
    for (const { name, kind } of judged(one).reads) {
      if (kind === 'code') continue;
      const { verdict } = judged(one, (read, answer) => (read.name === name ? { kind: 'reverted' } : answer));
      const accepted = ['GETTER_REVERTED', 'COMPONENT_PROOF_MISMATCH', 'STAMP_MISMATCH'];
      if (name.startsWith('token.')) expect(verdict.kind).toBe('pass');
      else expect(accepted).toContain(reasonOf(verdict));
    }
  });

  it('fails without its route or its token, with a repeated event, and out of order', () => {
    const own = one.receipt.logs.filter(({ address }) => address === one.source.address);
    const reasons = (logs: readonly SourceLog[]) => reasonOf(judged(withLogs(one, logs)).verdict);
    const named = (name: RegExp) => own.filter((log) => name.test(eventName(log)));
    for (const log of named(/Permit|Route/))
      expect(reasons(own.filter((other) => other !== log))).toBe('EVENT_MISSING');
    const token = named(/Component/).find(({ topics }) => topics[2] === own.at(-1)!.topics[2])!;
    expect(reasons(own.filter((log) => log !== token))).toBe('EVENT_MISMATCH');
    expect(reasons(own.filter((log) => !/Component/.test(eventName(log))))).toBe('EVENT_MISSING');
    for (const log of named(/Route|Component|Launch/)) expect(reasons([...own, log])).toBe('EVENT_DUPLICATED');
    const late = own.at(-1)!.logIndex + 1;
    expect(reasons([...own.slice(0, -2), { ...own.at(-2)!, logIndex: late }, own.at(-1)!])).toBe('EVENT_OUT_OF_ORDER');
  });

  it('is judged by the indexes of its logs, independent of their order in the list', () => {
    const listed = withLogs(one, [...one.receipt.logs].reverse());
    expect(judged(listed).verdict).toEqual(judged(one).verdict);
    const last = one.receipt.logs.at(-1)!;
    const first = one.receipt.logs[0]!;
    const swapped = one.receipt.logs.map((log) =>
      log === first
        ? { ...first, logIndex: last.logIndex }
        : log === last
          ? { ...last, logIndex: first.logIndex }
          : log,
    );
    expect(judged(withLogs(one, swapped)).verdict.kind).toBe('fail');
  });

  it('never throws for any answers, with and without bound contracts', () => {
    for (const contracts of [one.source.contracts, {}])
      for (const { name } of judged(one).reads)
        for (const answer of [
          { kind: 'reverted' },
          { kind: 'returned', data: '0x' },
          { kind: 'code', hash: null },
        ] as const)
          judged({ ...one, source: { ...one.source, contracts } }, (read, own) => (read.name === name ? answer : own));
  });

  it('does not read another contract’s events of the same shape', () => {
    const forged = one.receipt.logs.map((log) => ({ ...log, address: account('66') }));
    expect(one.adapter.candidates(one.source, { ...one.receipt, logs: forged })).toEqual([]);
  });

  it('fails in a reverted receipt, and with an anchor that does not decode', () => {
    const { candidate, answers } = judged(one);
    const reverted = one.adapter.judge(one.source, { ...one.receipt, status: 'reverted' }, candidate, answers);
    expect(reasonOf(reverted)).toBe('RECEIPT_NOT_SUCCESSFUL');
    const anchor = { ...candidate.anchor, data: `${candidate.anchor.data}00` as const };
    expect(reasonOf(judged(withLogs(one, [anchor])).verdict)).toBe('EVENT_UNDECODABLE');
  });

  it('has one document for every reader, which can be judged again', () => {
    const { candidate, reads, answers, verdict } = judged(one);
    const { evidence, digest } = verificationOf({ ...one, candidate, reads, answers });
    const shuffled = new Map([...answers].reverse());
    expect(verificationOf({ ...one, candidate, reads, answers: shuffled }).digest).toBe(digest);
    expect(judgeEvidence(evidence)).toEqual({ verdict, digest });
    const less = { ...evidence, reads: evidence.reads.slice(0, -1) };
    expect(reasonOf(judgeEvidence(less).verdict)).toBe('EVENT_MISMATCH');
    const other = { ...evidence, source: { ...evidence.source, sourceVersion: 'module-native-v9' } };
    expect(reasonOf(judgeEvidence(other).verdict)).toBe('EVENT_MISSING');
  });

  it('never passes as another launch after any change in its receipt', () => {
    const below = numbersFrom(testSeed('source adapters'));
    const { verdict } = judged(one);
    if (verdict.kind !== 'pass') throw new Error(verdict.reason);
    const { logIndex: _, ...record } = verdict.launch.record;
    for (let run = 0; run < 400; run += 1) {
      const changed = withLogs(one, changedLogs(one.receipt.logs, below));
      if (one.adapter.candidates(changed.source, changed.receipt).length === 0) continue;
      const again = judged(changed).verdict;
      if (again.kind === 'pass') expect(again.launch.record).toMatchObject(record);
    }
  });
});

describe('router V1', () => {
  it('recomputes both commitments from the events', () => {
    const reason = (change: (event: (typeof ROUTER_V1_STAMP.events)[number]) => typeof event) =>
      reasonOf(
        judged({
          ...ROUTER_V1_CASE,
          receipt: {
            ...ROUTER_V1_CASE.receipt,
            logs: ROUTER_V1_STAMP.events.map((event, logIndex) => ({
              address: ROUTER_V1_CASE.source.address,
              ...encodeStampLogV1(change(event)),
              logIndex,
            })),
          },
        }).verdict,
      );
    expect(reason((event) => event)).toBe('pass');
    expect(
      reason((event) =>
        event.event === 'ServiceComponentStampedV1' && event.fields.kind === '1'
          ? { ...event, fields: { ...event.fields, kind: '5' } }
          : event,
      ),
    ).toBe('STAMP_MISMATCH');
  });

  it('stamps custom graphs on the launch chain, and also Foundation graphs on Ethereum', () => {
    const logs = ROUTER_V1_STAMP.events.map((event, logIndex) => ({
      address: ROUTER_V1_CASE.source.address,
      ...encodeStampLogV1(
        event.event === 'ServiceLaunchRouteStampedV1' ? { ...event, fields: { ...event.fields, kind: '2' } } : event,
      ),
      logIndex,
    }));
    expect(CUSTOM_ROUTER_V1.anchorTopics).toEqual(ETHEREUM_CUSTOM_V1.anchorTopics);
    expect(reasonOf(judged(withLogs(ROUTER_V1_CASE, logs)).verdict)).toBe('LAUNCH_KIND_UNKNOWN');
    const onEthereum = { ...ROUTER_V1_CASE, adapter: ETHEREUM_CUSTOM_V1 };
    expect(reasonOf(judged(withLogs(onEthereum, logs)).verdict)).toBe('GETTER_MISMATCH');
  });
});

describe('router V2', () => {
  it('requires the launch id that controller and nonce give', () => {
    const logs = MULTI_ROLE_STAMP.events.map((event, logIndex) => ({
      address: MULTI_ROLE_CASE.source.address,
      ...encodeStampLog(
        event.event === 'MultiRolePermitConsumedV2' ? { ...event, fields: { ...event.fields, nonce: '6' } } : event,
      ),
      logIndex,
    }));
    expect(reasonOf(judged(withLogs(MULTI_ROLE_CASE, logs)).verdict)).toBe('LAUNCH_COMMITMENT_MISMATCH');
  });
});

describe('the metadata of a token', () => {
  const shown = (change: Readonly<Record<string, `0x${string}`>>) => {
    const { verdict } = judged(ROUTER_V1_CASE, (read, answer) => {
      const data = change[read.name];
      return data === undefined ? answer : { kind: 'returned', data };
    });
    if (verdict.kind !== 'pass') throw new Error(verdict.reason);
    return { ...verdict.launch.record, ...verdict.launch.metadata };
  };
  const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value]);
  const bytes = (value: `0x${string}`) => encodeAbiParameters([{ type: 'bytes' }], [value]);
  const tuple = (description: string, website: string, image: string, extra: string) =>
    encodeAbiParameters(
      [{ type: 'string' }, { type: 'string' }, { type: 'string' }, { type: 'bytes' }],
      [description, website, image, `0x${Buffer.from(extra).toString('hex')}`],
    );

  it.each([
    ['script', '<script>alert(1)</script>'],
    ['bidirectional marks', 'abc\u202e\u2066def'],
    ['nothing', ''],
    ['a mark of byte order', '\ufeffA'],
  ])('is kept unchanged for %s', (_what, name) => {
    expect(shown({ 'token.name': text(name), 'token.metadata': tuple(name, '', '', '') })).toMatchObject({
      name,
      description: name,
      status: 'ok',
    });
  });

  it.each([
    ['a name that is not UTF-8', { 'token.name': bytes('0xff') }, 'name'],
    ['a name with U+0000', { 'token.name': bytes('0x610062') }, 'name'],
    ['a name of a megabyte', { 'token.name': text('x'.repeat(1 << 20)) }, 'name'],
    ['a symbol that is a word', { 'token.symbol': word('61') }, 'symbol'],
    ['decimals above a byte', { 'token.decimals': word('01') }, 'decimals'],
    ['a description above its limit', { 'token.metadata': tuple('x'.repeat(16_385), '', '', '') }, 'description'],
    ['a website by HTTP', { 'token.metadata': tuple('', 'http://a.example', '', '') }, 'website'],
    ['a website that is a script', { 'token.metadata': tuple('', 'javascript:alert(1)', '', '') }, 'website'],
    ['an image of its own data', { 'token.metadata': tuple('', '', 'data:image/png;base64,AA', '') }, 'imageUrl'],
    [
      'a link above its limit',
      { 'token.metadata': tuple('', '', '', `{"v":1,"x":"https://a.example/${'x'.repeat(500)}"}`) },
      'x',
    ],
  ] as const)('is null for %s, and the coin stays', (_what, change, member) => {
    expect(shown(change)[member]).toBeNull();
  });

  it.each([
    ['no such getter', '0x', 'absent'],
    ['bytes that are not a tuple', word('20'), 'malformed'],
    ['extra data that is not JSON', tuple('d', '', '', '{'), 'malformed'],
    ['extra data of another version', tuple('d', '', '', '{"v":2}'), 'malformed'],
    ['extra data that is a list', tuple('d', '', '', '[1]'), 'malformed'],
    ['extra data above its limit', tuple('d', '', '', `{"v":1,"x":"${'x'.repeat(1_200)}"}`), 'malformed'],
    ['extra data with members of its own', tuple('d', '', '', '{"v":1,"__proto__":{"x":1},"y":2}'), 'ok'],
  ] as const)('has the status of its fault for %s', (_what, answer, status) => {
    const seen = shown({ 'token.metadata': answer });
    expect(seen.status).toBe(status);
    expect(seen.description).toBe(status === 'ok' ? 'd' : null);
  });

  it.each([
    ['half of a surrogate pair', String.raw`https://x.com/a\ud800`, null],
    ['halves in another order', String.raw`https://x.com/\udc00\ud800`, null],
    ['U+0000', String.raw`https://x.com/\u0000`, null],
    ['a user and a password', 'https://x.com:key@evil.example/a', 'https://evil.example/a'],
    ['a user alone', 'https://x.com@evil.example', 'https://evil.example/'],
    ['capitals, a port and steps up', 'HTTPS://X.COM:443/a/../b', 'https://x.com/b'],
    ['white space around it', String.raw` \thttps://x.com/a b\n`, 'https://x.com/a%20b'],
    ['a host in another script', 'https://bücher.example', 'https://xn--bcher-kva.example/'],
    ['backslashes', String.raw`https:\\\\x.com\\a`, 'https://x.com/a'],
    ['markup', String.raw`https://x.com/\"><script>`, 'https://x.com/%22%3E%3Cscript%3E'],
    ['no host', 'https://', null],
    ['another scheme behind it', 'javascript://x.com/%0aalert(1)', null],
  ])('publishes a link in the URL parser’s form, or not at all, for %s', (_what, link, published) => {
    const extra = `{"v":1,"x":"${link}","github":"https://github.com/a"}`;
    expect(shown({ 'token.metadata': tuple('d', '', '', extra) })).toMatchObject({
      status: 'ok',
      description: 'd',
      x: published,
      github: 'https://github.com/a',
    });
  });

  it('publishes website and image in the URL parser’s form', () => {
    expect(shown({ 'token.metadata': tuple('', 'https://u:p@A.example/ü', 'ipfs://QmAbC/a b', '') })).toMatchObject({
      website: 'https://a.example/%C3%BC',
      imageUrl: 'ipfs://QmAbC/a%20b',
    });
  });

  it.each([
    ['a number beyond a double', '{"v":1e400,"x":"https://x.com/"}', 'malformed', null],
    ['version 1 in another notation', '{"v":1.0e0,"x":"https://x.com/"}', 'ok', 'https://x.com/'],
    ['a repeated member', '{"v":1,"x":"https://x.com/a","x":"https://x.com/b"}', 'ok', 'https://x.com/b'],
    ['a prototype that would give members', '{"__proto__":{"v":1,"x":"https://x.com/"}}', 'malformed', null],
    ['a prototype member', '{"v":1,"__proto__":{"x":"https://x.com/"}}', 'ok', null],
    ['lists as deep as fit', `{"v":1,"y":${'['.repeat(590)}${']'.repeat(590)}}`, 'ok', null],
  ] as const)('reads extra data with %s', (_what, extra, status, x) => {
    expect(shown({ 'token.metadata': tuple('', '', '', extra) })).toMatchObject({ status, x });
  });

  it('drops a bad link alone', () => {
    const extra = '{"v":1,"x":"https://x.example/a","telegram":5,"github":"ftp://a"}';
    expect(shown({ 'token.metadata': tuple('', '', '', extra) })).toMatchObject({
      x: 'https://x.example/a',
      telegram: null,
      github: null,
    });
  });
});
