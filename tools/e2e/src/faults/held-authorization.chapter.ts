import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CHAIN_BASE_PATH,
  customLaunchErrorBodySchema,
  customLaunchResourceSchema,
  type CustomLaunchResource,
} from '@launch/contracts';
import { packOnStack, V4Client, type PackedOnStack } from '@launch/start';
import { hearCodes } from '../code-ledger.js';
import { ChainFaults } from '../fixtures/chain-faults.fixture.js';
import { freshKey } from '../fixtures/launch-desk.fixture.js';
import { PATIENCE_MS } from '../fixtures/launcher.fixture.js';
import { withOwnController, type E2eStack } from '../stacks/own-stack.js';

const LAUNCHES = `${CHAIN_BASE_PATH}/custom-launches`;
const BUNDLES = path.resolve(import.meta.dirname, '../../../../clients/multi-role/bundles');
const POLL_MS = 250;
const PRICE = String(2_500n * 10n ** 8n);

let stack: E2eStack;
let client: V4Client;
let packed: PackedOnStack;

/**
 * A V4 launch whose permit has to wait: for the price feeds, and for an operator who closed the gate. The chapter needs a
 * stack whose price and gates nobody else uses meanwhile.
 */
export function heldAuthorization(stackOf: () => E2eStack): void {
  const price = (answer: string): Promise<void> => new ChainFaults(stack).price('1', answer);
  const gate = (state: 'open' | 'closed'): Promise<string> =>
    stack.admin('gates', 'set', 'publicAuthorization', state, '--by', 'held-authorization');
  const until = async (
    launchId: string,
    isSo: (resource: CustomLaunchResource) => boolean,
  ): Promise<CustomLaunchResource> => {
    for (;;) {
      const resource = await client.read(launchId);
      if (isSo(resource) || ['action_required', 'failed'].includes(resource.status)) return resource;
      await sleep(POLL_MS);
    }
  };

  const told = async (response: Response): Promise<readonly [number, string, boolean]> => {
    const { error } = customLaunchErrorBodySchema.parse(await response.json());
    hearCodes(error);
    return [response.status, error.code, error.retryable];
  };
  const preflight = () => client.send('POST', `${LAUNCHES}/preflight`, { body: packed.bytes });

  describe('while no permit may be signed', () => {
    beforeAll(async () => {
      stack = await withOwnController(stackOf());
      const apiKey = await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] });
      client = new V4Client(stack.stack, apiKey);
      packed = await packOnStack(stack.stack, BUNDLES);
    }, PATIENCE_MS);
    afterAll(async () => {
      await price(PRICE);
      await gate('open');
    });

    it(
      'a V4 launch stays admitting and says why, and goes on when the feeds answer and the gate is open',
      async () => {
        await price('0');
        // What was read a moment ago is not read again at once.
        let unpriced = await preflight();
        for (; unpriced.status === 200; unpriced = await preflight()) await sleep(POLL_MS);
        expect(await told(unpriced)).toEqual([503, 'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED', true]);
        const { launchId } = await client.ask('POST', LAUNCHES, customLaunchResourceSchema, {
          body: packed.bytes,
          idempotencyKey: packed.report.idempotencyKey,
        });
        const waits = (reason: string) => until(launchId, ({ statusReason }) => statusReason === reason);
        expect(await waits('CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED')).toMatchObject({
          status: 'admitting',
          handoff: null,
        });
        await gate('closed');
        expect(await waits('AUTHORIZATION_CLOSED')).toMatchObject({ status: 'admitting', handoff: null });
        await price(PRICE);
        const send = (idempotencyKey: string) => client.send('POST', LAUNCHES, { body: packed.bytes, idempotencyKey });
        for (const refused of [await preflight(), await send(freshKey())])
          expect(await told(refused)).toEqual([503, 'LAUNCH_GATES_CLOSED', false]);
        const replay = await send(packed.report.idempotencyKey);
        expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
        expect(customLaunchResourceSchema.parse(await replay.json())).toMatchObject({ launchId, status: 'admitting' });
        await gate('open');
        expect(await until(launchId, ({ handoff }) => handoff !== null)).toMatchObject({
          statusReason: null,
          findings: [],
          handoff: { usdReference: { oneUsdReferenceWei: String(10n ** 26n / BigInt(PRICE)) } },
        });
      },
      PATIENCE_MS,
    );
  });
}
