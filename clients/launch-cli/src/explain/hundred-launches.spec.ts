import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { FACT_LABELS, deploymentOfContext, reviewHandoff, type HandoffFact } from '@launch/handoff';
import fc from 'fast-check';
import { descriptorOf, shownBy } from '../../../handoff/src/fixtures/descriptors.fixture.js';
import { signedHandoff } from '../../../handoff/src/fixtures/signed-handoff.fixture.js';
import { launchIn } from '../fixtures/launch-run.fixture.js';

const LAUNCHES = 100;
const folder = mkdtempSync(join(tmpdir(), 'launch-hundred-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, content: Uint8Array | string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

/** The terms of one launch; the seed makes a failure repeatable. */
const terms = fc.record({
  nonce: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
  name: fc.stringMatching(/^[A-Z][a-z]{2,20}$/),
  symbol: fc.stringMatching(/^[A-Z]{2,10}$/),
  initialBuyWei: fc.bigInt({ min: 10n ** 15n, max: 2n * 10n ** 16n }).map(String),
  buyFeeBps: fc.integer({ min: 0, max: 1_000 }),
  sellFeeBps: fc.integer({ min: 0, max: 1_000 }),
});

const descriptor = descriptorOf('v1');

it('Library, terminal and descriptor show the same values of a hundred launches, field by field', async () => {
  for (const [index, chosen] of fc.sample(terms, { numRuns: LAUNCHES, seed: 7_730 }).entries()) {
    const { bytes, context, handoff } = await signedHandoff(chosen);
    const trusted = [deploymentOfContext('custom-launch', context)];
    const { transaction } = reviewHandoff({ family: 'custom-launch', handoff, requestBytes: bytes, context, trusted });
    const { exitCode, result } = await launchIn({})(
      ...['explain', file('handoff.json', JSON.stringify(handoff)), '--request', file('request.json', bytes)],
      ...['--context', file('context.json', JSON.stringify(context))],
    );
    expect({ index, exitCode }).toEqual({ index, exitCode: 0 });
    expect(result.resource.facts).toEqual(transaction!.facts);

    const facts = new Map(transaction!.facts.map((fact: HandoffFact) => [fact.label, fact.value]));
    const shown = shownBy(descriptor, transaction!.calls[0]!);
    expect(shown.size).toBe(9);
    expect(new Map([...shown.keys()].map((label) => [label, facts.get(label)]))).toEqual(shown);
    // The terms reach the explanation, so that it is not the same for every launch.
    expect(facts.get(FACT_LABELS.buy)).toBe(chosen.initialBuyWei);
    expect(facts.get(FACT_LABELS.nonce)).toBe(chosen.nonce);
  }
}, 600_000);
