import { describe, expect, it } from '@jest/globals';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { finalityEvidenceSchema, type FinalityEvidence } from '@launch/contracts/multi-role';
import { sha256Digest } from '@launch/contracts/primitives';
import { decodeLaunchCalldata, encodeBlockHeader, hashBlockHeader, type Hex } from '@launch/evm';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { toFunctionSelector } from 'viem';
import { leavesOf, twinOf, withOther, type EvidenceLeaf } from '../fixtures/evidence-leaves.fixture.js';
import { recordedEvidence, recordedRequest } from '../fixtures/recorded-launch.fixture.js';
import { TAMPERED_EVIDENCE } from '../fixtures/tampered-evidence.fixture.js';
import type { Verdict } from '../verdict.types.js';
import { verifyEvidence } from './evidence.command.js';

const FUZZ_FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1);
const bytes = recordedEvidence();
const request = recordedRequest();
const evidence: FinalityEvidence = finalityEvidenceSchema.parse(parseStrictJson(bytes));
const { inclusion, checkpoint } = evidence.conclusion;
const PINS = { digest: sha256Digest(bytes), request, checkpoint: checkpoint!.blockHash, l2Block: inclusion!.blockHash };

const failed = ({ checks }: Verdict): string[] =>
  (checks ?? []).filter(({ verdict }) => verdict === 'fail').map(({ check }) => check);
const verdictOn = (changed: unknown, pins = {}): Promise<Verdict> => verifyEvidence(canonicalizeJson(changed), pins);

/** Values that no check reads, as the guide lists them: the API's own id, times, and answers of nodes beyond the rule. */
const INFORMATIONAL: readonly RegExp[] = [
  /^launch\/launchId$/,
  /^observedAt$/,
  /^exchanges\/[^/]+\/at$/,
  /^exchanges\/[^/]+\/answer\/result\/(?:size|totalDifficulty|transactions(?:\/\*)?|uncles|withdrawals(?:\/.*)?)$/,
  /^exchanges\/[^/]+:eth_getTransactionByHash\/answer\/result\/(?:blockHash|blockNumber|blockTimestamp|gasPrice|transactionIndex|v)$/,
  /^exchanges\/[^/]+:eth_getTransactionReceipt\/answer\/result\/(?:blobGasPrice|blockTimestamp|contractAddress|effectiveGasPrice|logs\/\*\/(?:blockTimestamp|transactionIndex))$/,
  /^exchanges\/[^/]+:eth_getLogs\/answer\/result\/\*\/(?:blockTimestamp|transactionIndex)$/,
];
/** Values that no proof covers: both observers must agree on them, or the bundle fails. */
const AGREED: readonly RegExp[] = [
  /^exchanges\/4663:eth_getTransactionReceipt\/answer\/result\/gasUsed$/,
  /^exchanges\/4663:eth_getLogs\/answer\/result\/\*\/(?:blockNumber|logIndex)$/,
];
/** The router's answer to which launch an external contract belongs: none or another, and not part of the stamp. */
const OF_EXTERNALS = decodeLaunchCalldata(evidence.handoff.walletTransaction.data).call.externals.map(
  ({ account }) => `${toFunctionSelector('launchIdByComponent(address)')}${account.slice(2).padStart(64, '0')}`,
);
const isAgreed = ({ place, path: [, index] }: EvidenceLeaf): boolean =>
  AGREED.some((pattern) => pattern.test(place)) ||
  (place === 'exchanges/4663:eth_call/answer/result' &&
    OF_EXTERNALS.includes((evidence.exchanges[Number(index)]!.params[0] as { data: Hex }).data));
const leaves = leavesOf(evidence);
const informational = leaves.filter(({ place }) => INFORMATIONAL.some((pattern) => pattern.test(place)));
const binding = leaves.filter((leaf) => !informational.includes(leaf));

describe('The evidence of a recorded launch', () => {
  it('passes with every pin and leaves nothing unchecked', async () => {
    const verdict = await verifyEvidence(bytes, PINS);
    expect(failed(verdict)).toEqual([]);
    expect(verdict).toMatchObject({
      verdict: 'pass',
      notChecked: [],
      details: { requestSha256: sha256Digest(request), launchId: evidence.launch.launchId },
    });
    expect(verdict.details['proves']).toHaveLength(9);
    expect(verdict.details['restsOnObservers']).toHaveLength(3);
  });

  it('names for each missing pin the part that depends on the bundle alone', async () => {
    const verdict = await verifyEvidence(bytes);
    expect(verdict).toMatchObject({
      verdict: 'pass',
      notChecked: ['--digest', '--request', '--checkpoint', '--l2-block'].map((option) =>
        expect.stringContaining(option),
      ),
    });
    expect(verdict.details['proves']).toHaveLength(6);
    expect(verdict.details['restsOnObservers']).toHaveLength(6);
  });

  const word = `0x${'9'.repeat(64)}`;
  it.each([
    ['digest', { digest: `sha256:${'9'.repeat(64)}` }, ['address']],
    ['checkpoint', { checkpoint: word }, ['pin.checkpoint']],
    ['L2 block', { l2Block: word }, ['pin.l2Block']],
  ])('fails another %s', async (_what, pins, checks) =>
    expect(failed(await verifyEvidence(bytes, { ...PINS, ...pins }))).toEqual(checks),
  );

  it('fails another request and names every field that differs', async () => {
    const other = { ...(parseStrictJson(request) as object), nonce: '7' };
    expect(failed(await verifyEvidence(bytes, { ...PINS, request: canonicalizeJson(other) }))).toEqual(
      expect.arrayContaining(['pin.request.handoff.requestHash', 'pin.request.permit.nonce']),
    );
    expect(await verifyEvidence(bytes, { ...PINS, request: bytes })).toMatchObject({
      verdict: 'fail',
      findings: expect.arrayContaining([expect.objectContaining({ path: '/request/schemaVersion' })]),
    });
    expect(await verifyEvidence(bytes, { ...PINS, request: null })).toMatchObject({
      verdict: 'fail',
      findings: [{ code: 'REQUEST_TOO_LARGE', path: '/request' }],
    });
  });
});

describe('Every leaf', () => {
  it('that no check reads may change, which only its address reveals', async () => {
    expect(informational.length).toBeGreaterThan(100);
    const changed = withOther(
      evidence,
      informational.map(({ path }) => path),
    );
    expect(failed(await verdictOn(changed, { ...PINS }))).toEqual(['address']);
  });

  it('that no check reads is listed in the guide', () => {
    const guide = readFileSync(new URL('../../../../docs/guides/verify-yourself.md', import.meta.url), 'utf8');
    const unseen = leaves.filter(({ place }) => [...INFORMATIONAL, ...AGREED].some((pattern) => pattern.test(place)));
    const names = new Set(
      unseen.map(({ place }) =>
        place
          .split('/')
          .filter((part) => part !== '*')
          .at(-1)!,
      ),
    );
    for (const name of names) expect(guide).toContain(`\`${name}\``);
  });

  it.each(['transactionIndex', 'blockNumber', 'from', 'to'])(
    "of a receipt's %s is bound, in each of its readings that both observers change",
    async (name) => {
      const places = leaves.filter(
        ({ path }) =>
          path.at(-1) === name &&
          path.length === 5 &&
          evidence.exchanges[Number(path[1])]!.method === 'eth_getTransactionReceipt',
      );
      expect(places).toHaveLength(4);
      for (const leaf of places)
        expect(failed(await verdictOn(withOther(evidence, [leaf.path, twinOf(evidence, leaf)!])))).toContain(
          'answers.receipts',
        );
    },
  );

  it("of a receipt's gasUsed is bound by every other answer about that receipt", async () => {
    const answers = leaves.filter(
      ({ place }) => place === 'exchanges/4663:eth_getTransactionReceipt/answer/result/gasUsed',
    );
    expect(answers).toHaveLength(4);
    for (const { path } of answers)
      expect(failed(await verdictOn(withOther(evidence, [path])))).toEqual(['answers.receipts']);
  });

  it("of the contracts' answers is bound, except those for external contracts", async () => {
    const answers = leaves.filter(({ place }) => place.endsWith(':eth_call/answer/result'));
    const unbound = [];
    for (const leaf of answers)
      if ((await verdictOn(withOther(evidence, [leaf.path, twinOf(evidence, leaf)!]))).verdict === 'pass')
        unbound.push(leaf);
    expect(unbound).toEqual(answers.filter(isAgreed));
    expect(unbound.length).toBeLessThan(answers.length / 10);
  });

  it(
    'of any other kind is bound without a pin, whether one answer changes or those of both observers',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...binding), fc.boolean(), async (leaf, both) => {
          const twin = both && !isAgreed(leaf) ? twinOf(evidence, leaf) : null;
          const verdict = await verdictOn(withOther(evidence, twin === null ? [leaf.path] : [leaf.path, twin]));
          expect(verdict.verdict).toBe('fail');
        }),
        { verbose: 1, numRuns: 40 * FUZZ_FACTOR, endOnFailure: true },
      );
    },
    60_000 * FUZZ_FACTOR,
  );
});

describe('A tampered bundle', () => {
  it.each(TAMPERED_EVIDENCE.map((one) => [one.title, one] as const))(
    'fails with %s',
    async (_title, { check, tamper }) => {
      const tampered = structuredClone(evidence);
      tamper(tampered);
      expect(failed(await verdictOn(tampered))).toContain(check);
    },
  );

  /** Replaces the checkpoint and its header throughout by a forged header. */
  function selfMade(): FinalityEvidence {
    const forged = structuredClone(evidence);
    const old = checkpoint!.blockHash;
    const blocks = forged.exchanges.flatMap(({ answer }) =>
      'result' in answer && (answer.result as { hash?: string } | null)?.hash === old
        ? [answer.result as Record<string, string>]
        : [],
    );
    for (const block of blocks) block['extraData'] = '0x1234';
    const hash = hashBlockHeader(blocks[0]);
    if (forged.proofs?.ancestry.kind !== 'proof') throw new Error('the bundle proves the ancestry');
    forged.proofs.ancestry.headers.splice(-1, 1, encodeBlockHeader(blocks[0]));
    return finalityEvidenceSchema.parse(JSON.parse(JSON.stringify(forged).replaceAll(old, hash)));
  }

  it("of a forged chain agrees with itself, and only a node's hash of the checkpoint reveals it", async () => {
    const forged = selfMade();
    const alone = await verdictOn(forged);
    expect(failed(alone)).toEqual([]);
    expect(alone.details['restsOnObservers']).toContainEqual(
      expect.stringContaining('that the checkpoint is a block of Ethereum'),
    );
    expect(failed(await verdictOn(forged, { checkpoint: PINS.checkpoint }))).toEqual(['pin.checkpoint']);
  });

  it.each<[string, (e: FinalityEvidence) => void]>([
    [
      'a block number that no node uses',
      (e) => void (e.exchanges.find(({ method }) => method === 'eth_getBlockByNumber')!.params[0] = '0xzz'),
    ],
    [
      'a block request without parameters',
      (e) => void (e.exchanges.find(({ method }) => method === 'eth_getBlockByNumber')!.params = []),
    ],
    [
      'text for a block',
      (e) =>
        void ((
          e.exchanges.find(({ method }) => method === 'eth_getBlockByNumber')!.answer as { result: unknown }
        ).result = 'block'),
    ],
    [
      'a number for a receipt',
      (e) =>
        void ((
          e.exchanges.find(({ method }) => method === 'eth_getTransactionReceipt')!.answer as { result: unknown }
        ).result = 1),
    ],
    [
      'logs that are none',
      (e) =>
        void ((e.exchanges.find(({ method }) => method === 'eth_getLogs')!.answer as { result: unknown }).result = [1]),
    ],
    ['a receipt of no bytes', (e) => void Object.assign(e.proofs!.inclusion, { receipt: '0x' })],
    ['a transaction of no bytes', (e) => void Object.assign(e.proofs!.posting, { transaction: '0x' })],
    ['a header of lists', (e) => void Object.assign(e.proofs!.inclusion, { header: `0x${'c1'.repeat(1_000)}` })],
    ["half the bundle's answers", (e) => void (e.exchanges = e.exchanges.slice(0, e.exchanges.length / 2))],
    ['no answers', (e) => void (e.exchanges = [])],
  ])('fails with %s and does not crash the command', async (_title, tamper) => {
    const tampered = structuredClone(evidence);
    tamper(tampered);
    expect((await verdictOn(tampered)).verdict).toBe('fail');
  });

  it('fails wherever it is cut off', async () => {
    for (const length of [0, 1, 1_000, bytes.length >> 1, bytes.length - 1]) {
      expect(await verifyEvidence(bytes.subarray(0, length))).toMatchObject({
        verdict: 'fail',
        findings: [{ code: expect.stringMatching(/^JSON_/) }],
      });
    }
  });
});
