import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { isCanonical, parseStrictJson } from '@launch/contracts/json';
import {
  createRequestSchema,
  packReportSchema,
  type CreateRequest,
  type PackReport,
  type ReferenceCase,
} from '@launch/contracts/multi-role';
import { hookFlagsOf, NATIVE_FEE_HOOK_FLAGS, recogniseEconomics, type Hex } from '@launch/evm';
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildBundles, BUNDLES, runNode, temporaryFolder } from '../fixtures/bundle.fixture.js';
import { fixtureCapabilities } from '../fixtures/launch-context.fixture.js';

// Builds, mines and starts processes, which exceeds a unit test's timeout on a busy machine.
jest.setTimeout(180_000);

const WALLET = '0x00112233445566778899aabbccddeeff00112233';
const folder = temporaryFolder();
const at = (name: string): string => join(folder.path, name);
const bundle = (name: string): string => join(BUNDLES, name);

beforeAll(async () => {
  await buildBundles();
  writeFileSync(at('capabilities.json'), JSON.stringify(fixtureCapabilities(), null, 2));
});
afterAll(() => folder.remove());

/** Runs reference, build and pack: the three published programs in order. */
async function packCase(
  chosen: ReferenceCase,
  run: string,
): Promise<{ bytes: Uint8Array; report: PackReport; request: CreateRequest }> {
  const [inert, config, request] = [`${run}-inert.json`, `${run}-config.json`, `${run}-request.json`].map(at) as [
    string,
    string,
    string,
  ];
  const reference = await runNode([
    bundle('request-packer.mjs'),
    'reference',
    '--input',
    bundle('request-packer-reference.json'),
    '--case',
    chosen,
    '--out',
    inert,
  ]);
  expect(reference).toMatchObject({ code: 0, stderr: '' });
  const built = await runNode([
    bundle('reference-builder.mjs'),
    ...['--input', inert, '--capabilities', at('capabilities.json'), '--wallet', WALLET, '--nonce', '7'],
    ...['--valid-after', '1767225600', '--deadline', '1767229200', '--out', config],
  ]);
  expect(built).toMatchObject({ code: 0 });
  const packed = await runNode([bundle('request-packer.mjs'), 'pack', '--config', config, '--out', request]);
  expect(packed).toMatchObject({ code: 0, stderr: '' });
  const bytes = readFileSync(request);
  return {
    bytes,
    report: packReportSchema.parse(JSON.parse(packed.stdout)),
    request: createRequestSchema.parse(parseStrictJson(bytes)),
  };
}

describe.each([
  ['zero', '0'],
  ['buy', '10000000000000000'],
] as const)('the %s case, packed by the published programs', (chosen, value) => {
  it('is canonical, hashed as reported, and the same every time', async () => {
    const first = await packCase(chosen, `${chosen}-1`);
    const again = await packCase(chosen, `${chosen}-2`);
    expect(Buffer.from(again.bytes).equals(Buffer.from(first.bytes))).toBe(true);
    expect(isCanonical(first.bytes)).toBe(true);
    expect(first.bytes.at(-1)).not.toBe(0x0a);

    const digest = createHash('sha256').update(first.bytes).digest('hex');
    expect(first.report).toMatchObject({
      requestSha256: `sha256:${digest}`,
      idempotencyKey: `mr-v2-${digest}`,
      byteLength: first.bytes.length,
      sourceBundleSha256: first.request.source.bundleSha256,
      contextHash: first.request.contextCommitments.contextHash,
    });
    expect(first.request.funding.totalValueWei).toBe(value);
    // 40 sources and the image
    expect(first.request.source.manifest).toHaveLength(41);
    expect(hookFlagsOf(first.request.graphBundle.components[0]!.predictedAddress as Hex)).toBe(NATIVE_FEE_HOOK_FLAGS);
    expect(statSync(at(`${chosen}-1-request.json`)).mode & 0o777).toBe(0o600);
  });

  it('is recognised by the reviewed templates', async () => {
    const { request } = await packCase(chosen, `${chosen}-3`);
    expect(recogniseEconomics(request)).toMatchObject({
      kind: 'recognised',
      recipe: { id: 'native20.combined' },
      economics: { buy: { initialBuyWei: value } },
    });
  });
});
