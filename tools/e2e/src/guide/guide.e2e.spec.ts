import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { finalizedRecordSchema, walletHandoffSchema, type LaunchResource } from '@launch/contracts/multi-role';
import type { Hex } from '@launch/evm';
import { REFERENCE_LAUNCHES, sendFromController, type ReferenceCase } from '@launch/start';
import { launchApi } from '../launch-api.js';
import { packReference } from '../reference-request.js';
import type { StackAccess } from '../stacks/own-stack.js';
import { useStack } from '../stacks/use-stack.js';
import { GuideSession } from './guide-session.js';
import { guideSteps } from './guide-steps.js';
import { writeTranscript } from './transcript.js';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
/** The sections of the guide that lead to a request, except the one that a case skips. */
const OTHER_WAY: Readonly<Record<ReferenceCase, number>> = { zero: 5, buy: 5, atlas: 4, cedar: 4 };
/** The guide's own case is always typed; the others only where `GUIDE_CASES` is `all`, as in the nightly run. */
const TYPED: readonly ReferenceCase[] =
  process.env['GUIDE_CASES'] === 'all' || process.env['WRITE_TRANSCRIPTS'] === '1' ? REFERENCE_LAUNCHES : ['buy'];
const TITLES: Readonly<Record<ReferenceCase, string>> = {
  zero: 'Native20, without a purchase',
  buy: 'Native20, with a purchase of 0.01 ether',
  atlas: 'inventory project atlas, without a purchase',
  cedar: 'inventory project cedar, with a purchase of 0.01 ether',
};

let stack: StackAccess;
let key: string;
beforeAll(async () => {
  stack = await useStack('launches');
  key = await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] });
}, 240_000);

/** Changes the text to another case, as the guide explains: its name, and no slippage without a purchase. */
const asChosen = (text: string, chosen: ReferenceCase): string => {
  const named = text.replace(/--case \w+/, `--case ${chosen}`);
  return chosen === 'zero' || chosen === 'atlas' ? named.replace(' --slippage-bps 100', '') : named;
};

/** Returns a wallet without a known key and without funds. */
const freshWallet = (): Hex => `0x${randomBytes(20).toString('hex')}`;

const guide = (name: string): Promise<string> => readFile(path.join(ROOT, 'docs/guides', name), 'utf8');

/** The reader's own wallet, outside of the shell. */
async function send(folder: string): Promise<string> {
  const { walletTransaction } = walletHandoffSchema.parse(
    JSON.parse(await readFile(path.join(folder, 'wallet.json'), 'utf8')),
  );
  const sent = JSON.parse(await readFile(path.join(folder, 'send.json'), 'utf8')) as Record<string, string>;
  expect({ ...sent, value: String(BigInt(sent['value']!)), chainId: String(BigInt(sent['chainId']!)) }).toEqual(
    walletTransaction,
  );
  return sendFromController(stack.stack, walletTransaction);
}

/** The files of the guide's table, by name. */
const PUBLISHED = [
  'client.mjs',
  'guide.md',
  'inventory-build.json',
  'inventory-builder.mjs',
  'inventory-projects.json',
  'reference-builder.mjs',
  'request-packer-build.json',
  'request-packer-reference.json',
  'request-packer.mjs',
];

/** Returns the checked files of the output of `download`; null of another command. */
const downloadedFiles = (output: string): string[] | null =>
  output.includes('"command":"download"')
    ? JSON.parse(output).response.files.map(({ file }: { file: string }) => file)
    : null;

describe('the published guide, typed unchanged,', () => {
  it.each(TYPED)(
    "takes %s from the service's address to its public record and its evidence",
    async (chosen) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'launch-guide-'));
      const session = new GuideSession(folder, {
        SERVICE_API_BASE_URL: { value: () => stack.gateway, shown: false },
        SERVICE_API_KEY: { value: () => key, shown: false },
        WALLET: { value: () => stack.controller, shown: false },
        HASH: { value: () => send(folder), shown: true },
        LAUNCH_VERIFY: { value: () => path.join(ROOT, 'clients/verify/dist/main.js'), shown: false },
        DIGEST: {
          value: (outputs) =>
            JSON.parse(outputs.find((one) => one.includes('"command":"evidence"')) ?? 'null').response.contentSha256,
          shown: true,
        },
      });
      try {
        const published = await fetch(`${stack.gateway}/v4/chains/4663/multi-role-custom-launches/guide.md`);
        const steps = [...guideSteps(await published.text()), ...guideSteps(await guide('verify-yourself.md'))].filter(
          ({ section }) => section !== OTHER_WAY[chosen],
        );
        const said: string[] = [];
        for (const step of steps) said.push(await session.type({ ...step, text: asChosen(step.text, chosen) }));
        const output = said.join('\n');
        expect(said.map(downloadedFiles).find((files) => files !== null)).toEqual(PUBLISHED);
        expect(output).not.toContain('"verdict":"fail"');
        expect(output.match(/"verdict":"pass"\}\n?$/gm)).toHaveLength(2);
        const record = finalizedRecordSchema.parse(
          JSON.parse(said.find((one) => one.includes('"command":"finalized-record"')) ?? 'null').response,
        );
        expect(record.projectMetadata.name).toMatch(/^My First (Launch|Inventory)$/);
        for (const file of ['request.json', 'created.json', 'wallet.json', 'evidence.json'])
          expect([file, (await stat(path.join(folder, file))).mode & 0o777]).toEqual([file, 0o600]);
        if (process.env['WRITE_TRANSCRIPTS'] === '1')
          await writeTranscript(
            chosen,
            `A whole launch: ${TITLES[chosen]}`,
            'following [the guide](../guides/multi-role-launch.md) and [verify yourself](../guides/verify-yourself.md)',
            session.transcript,
          );
      } finally {
        await session.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
    240_000,
  );
});

describe('a wallet without funds', () => {
  it('is reported as such while its launch waits, and the launch continues once it is funded', async () => {
    const wallet = freshWallet();
    const api = launchApi(
      stack.gateway,
      await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'], wallet }),
    );
    const validAfter = BigInt(Math.floor(Date.now() / 1_000));
    const { bytes } = await packReference({
      context: await api.context(),
      wallet,
      nonce: 1n,
      validAfter,
      deadline: validAfter + 3_000n,
      referenceCase: 'buy',
    });
    const { launchId } = (await api.create(bytes, 'guide-without-funds')).body as LaunchResource;
    const waiting = await api.until(launchId, ({ statusReason }) => statusReason !== null);
    expect([waiting.status, waiting.statusReason, waiting.wallet]).toEqual([
      'admitting',
      'CONTROLLER_FUNDS_MISSING',
      null,
    ]);
    const funded = await fetch(`${stack.stack.faults}/chains/4663/fund`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address: wallet, wei: '1000000000000000000' }),
    });
    expect(funded.status).toBe(200);
    const ready = await api.until(launchId, ({ wallet: handoff }) => handoff !== null);
    expect([ready.statusReason, ready.wallet?.walletTransaction.value]).toEqual([null, '10000000000000000']);
  }, 240_000);
});
