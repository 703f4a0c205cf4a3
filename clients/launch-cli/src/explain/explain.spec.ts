import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeFunctionResult, numberToHex, toFunctionSelector } from 'viem/utils';
import { ROUTER_V1_ABI } from '@launch/evm';
import { signedHandoff, signedPlan } from '../../../handoff/src/fixtures/signed-handoff.fixture.js';
import { launchIn, pipedTerminal } from '../fixtures/launch-run.fixture.js';
import { runLaunch } from '../run-launch.js';

const folder = mkdtempSync(join(tmpdir(), 'launch-explain-'));
const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, content instanceof Uint8Array ? content : JSON.stringify(content));
  return path;
};
let handed: Awaited<ReturnType<typeof signedHandoff>>;
let files: readonly string[];
beforeAll(async () => {
  handed = await signedHandoff();
  files = ['--request', file('request.json', handed.bytes), '--context', file('context.json', handed.context)];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const explained = (handoff: unknown, ...more: readonly string[]) =>
  launchIn({})('explain', file('handoff.json', handoff), ...files, ...more);

describe('launch explain', () => {
  it('ends with 0 and the facts of a hand-off that agrees with its request', async () => {
    const { exitCode, result } = await explained(handed.handoff);
    expect(exitCode).toBe(0);
    expect(result.resource).toMatchObject({ family: 'custom-launch', agrees: true, chain: [] });
    expect(result.resource.facts).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: 'total', value: handed.handoff.walletTransaction.value })]),
    );
  });

  it('ends with 3 and both values of a hand-off that differs', async () => {
    const walletTransaction = { ...handed.handoff.walletTransaction, value: '1' };
    const { exitCode, result } = await explained({ ...handed.handoff, walletTransaction });
    expect(exitCode).toBe(3);
    const differing = result.resource.checks.filter(({ verdict }: { verdict: string }) => verdict !== 'agrees');
    expect(differing).toEqual([
      expect.objectContaining({
        id: 'call.0.value',
        claimed: '0.000000000000000001 ETH (1 wei)',
        computed: `0.01 ETH (${handed.handoff.walletTransaction.value} wei)`,
      }),
    ]);
  });

  it('prints a table on a terminal, with the differing values below it', async () => {
    const walletTransaction = { ...handed.handoff.walletTransaction, value: '1' };
    const path = file('other.json', { ...handed.handoff, walletTransaction });
    const { stdout } = await runLaunch(['explain', path, ...files], {}, { ...pipedTerminal(), stdout: true });
    expect(stdout).toMatch(/^You pay +0\.01 ETH$/m);
    expect(stdout).toMatch(
      /^ {2}call\.0\.value differs: .*claimed 0\.000000000000000001 ETH \(1 wei\), computed 0\.01 ETH \(10000000000000000 wei\)\./m,
    );
  });

  it('explains the kept step of a plan', async () => {
    const { bytes, context, steps } = await signedPlan('sequential');
    const own = ['--request', file('plan.json', bytes), '--context', file('plan-context.json', context)];
    for (const step of steps) {
      const { exitCode, result } = await launchIn({})('explain', file('step.json', step), ...own);
      expect({ exitCode, family: result.resource.family }).toEqual({ exitCode: 0, family: 'plan' });
    }
  });

  it('refuses a file of another form, and an endpoint that is not https', async () => {
    expect((await explained({ any: 'thing' })).failure.error.code).toBe('LAUNCH_CLI_CONFIG_INVALID');
    expect((await explained(handed.handoff, '--rpc', 'http://rpc.example')).failure.error.code).toBe(
      'LAUNCH_CLI_ARGUMENTS_INVALID',
    );
  });
});

const selectorOf = (name: 'authority' | 'nonceUsed' | 'permitUsed'): string =>
  toFunctionSelector(
    ROUTER_V1_ABI.find((item) => item.type === 'function' && item.name === name) as Parameters<
      typeof toFunctionSelector
    >[0],
  );

describe('launch explain --rpc', () => {
  let server: Server;
  let endpoint: string;
  const answers: Record<string, unknown> = {};
  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
          method: string;
          params: readonly { data?: string }[];
        };
        const selector = method === 'eth_call' ? `${method} ${params[0]?.data?.slice(0, 10)}` : method;
        const result = answers[selector];
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify(
            result === undefined
              ? { jsonrpc: '2.0', id: 1, error: { code: -32_601, message: `no answer to ${selector}` } }
              : { jsonrpc: '2.0', id: 1, result },
          ),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('names the conditions on chain that do not hold', async () => {
    const authority = encodeFunctionResult({
      abi: ROUTER_V1_ABI,
      functionName: 'authority',
      result: [0n, 2n ** 63n, false],
    });
    const no = encodeFunctionResult({ abi: ROUTER_V1_ABI, functionName: 'nonceUsed', result: false });
    Object.assign(answers, {
      eth_chainId: numberToHex(4663),
      eth_getBlockByNumber: { timestamp: numberToHex(BigInt(handed.handoff.validAfter) + 1n) },
      eth_getCode: '0x6001',
      eth_getBalance: '0x0',
      eth_gasPrice: '0x1',
      eth_estimateGas: '0x5208',
    });
    answers[`eth_call ${selectorOf('authority')}`] = authority;
    for (const getter of ['nonceUsed', 'permitUsed'] as const) answers[`eth_call ${selectorOf(getter)}`] = no;
    const { exitCode, result } = await explained(handed.handoff, '--rpc', endpoint);
    expect(exitCode).toBe(3);
    const blocking = result.resource.chain.filter(({ verdict }: { verdict: string }) => verdict === 'blocks');
    expect(blocking.map(({ id }: { id: string }) => id)).toEqual(['router-code', 'funds']);
  });

  it('reports an endpoint that does not answer', async () => {
    delete answers['eth_chainId'];
    const { exitCode, failure } = await explained(handed.handoff, '--rpc', endpoint);
    expect({ exitCode, code: failure.error.code }).toEqual({ exitCode: 10, code: 'LAUNCH_CLI_ANSWER_INVALID' });
  });
});
