import { expect, it } from '@jest/globals';
import { canonicalizeJson } from '@launch/contracts/json';
import { readFileSync, writeFileSync } from 'node:fs';
import { keccak256 } from 'viem/utils';
import { buildPackConfig } from '../builder/build-pack-config.js';
import { FIXTURE_CHAIN, fixtureContext } from '../fixtures/launch-context.fixture.js';
import { FIXTURE_WALLET, referenceBytes } from '../fixtures/reference.fixture.js';
import { inertConfigOf } from './inert-config.js';
import { packRequest } from './pack-request.js';

/** The valid request of the rules' corpus. `WRITE_REQUEST=1` writes it again after the reference or a recipe changed. */
const FILE = new URL('../../../../libs/launch-rules/testdata/requests/multi-role.v2.json', import.meta.url);
const OPENED = 1_900_000_000;

it("the good request of the rules' corpus is the reference launch as the packer makes it", async () => {
  const { config } = await buildPackConfig(inertConfigOf(await referenceBytes(), 'buy'), {
    context: fixtureContext({ ...FIXTURE_CHAIN, poolManagerCodeHash: keccak256('0x6001') }),
    wallet: FIXTURE_WALLET,
    nonce: 7n,
    validAfter: BigInt(OPENED - 60),
    deadline: BigInt(OPENED + 1_800),
    creatorRecipient: FIXTURE_WALLET,
    name: 'Rules Fixture',
    symbol: 'RULES',
    checkedAt: '2026-01-01T00:00:00.000Z',
    maxAttempts: 1 << 20,
  });
  const { bytes } = packRequest(canonicalizeJson(config));
  if (process.env['WRITE_REQUEST'] === '1') writeFileSync(FILE, bytes);
  expect(readFileSync(FILE).equals(bytes)).toBe(true);
});
