import { beforeAll, describe, expect, it } from '@jest/globals';
import type { WalletHandoff } from '@launch/contracts/multi-role';
import { sendFromController } from '@launch/start';
import { LaunchClientError } from '../../../clients/sdk/src/index.js';
import { createMultiRoleClient, type MultiRoleClient } from '../../../clients/sdk/src/multi-role.js';
import { createPublicClient } from '../../../clients/sdk/src/public.js';
import { packReferenceNow } from './reference-request.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';

const STARTS_MS = 480_000;
const LAUNCHED_MS = 600_000;
const WAIT = { timeoutMs: 240_000, pollMs: 1_000 };

let stack: StackAccess;
let client: MultiRoleClient;
beforeAll(async () => {
  stack = await useStack('launches');
  const key = await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] });
  client = createMultiRoleClient({ baseUrl: stack.gateway, key });
}, STARTS_MS);

describe('A multi-role launch by the SDK', () => {
  it(
    'goes from its capabilities to finality, with every response bound to its request',
    async () => {
      const packed = await packReferenceNow(client, stack.controller);

      expect((await client.preflight(packed)).source.disposition).toBe('source_supported');
      const created = await client.create(packed);
      const { launchId, onchainLaunchId } = created;
      expect(created.isReplay).toBe(false);
      expect((await client.list({ limit: 1 })).items.map((one) => one.launchId)).toEqual([launchId]);

      const authorized = await client.waitFor(launchId, 'authorized', WAIT);
      expect(await client.create(packed)).toMatchObject({ launchId, isReplay: true });
      expect(authorized.walletTransaction.value).toBe(BigInt(authorized.wallet!.walletTransaction.value));
      const hash = await sendFromController(
        stack.stack,
        authorized.wallet!.walletTransaction as WalletHandoff['walletTransaction'],
      );
      expect(await client.hint(launchId, hash)).toMatchObject({ launchId, transactionHash: hash });
      await client.waitFor(launchId, 'included', WAIT);
      const { finality } = await client.waitFor(launchId, 'finalized', WAIT);
      expect(finality).toMatchObject({
        state: 'ethereum_finalized',
        transactionHash: hash,
        inclusion: { receiptStatus: 'success' },
      });

      expect((await client.list({ limit: 1 })).items[0]).toMatchObject({ launchId, status: 'finalized' });
      const record = await createPublicClient({ baseUrl: stack.gateway }).multiRoleRecord(onchainLaunchId);
      expect(record).toMatchObject({ apiLaunchId: launchId, provenance: { transactionHash: hash } });
    },
    LAUNCHED_MS,
  );

  it('is not shown to another key', async () => {
    const [first] = (await client.list({ limit: 1 })).items;
    const { launchId } = first!;
    const key = await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] });
    const other = createMultiRoleClient({ baseUrl: stack.gateway, key });
    const failure = await other.get(launchId).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(LaunchClientError);
    expect((failure as LaunchClientError).code).toBe('NOT_FOUND');
  });
});
