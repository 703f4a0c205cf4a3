import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transactionHintReceiptSchema } from '@launch/contracts/multi-role';
import { call, codeOf, type Answer } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { reserveLaunch, type DrivenLaunch } from '../../../fixtures/launch.driver.js';
import { requestBytes } from '../../../fixtures/test-request.js';
import { runSql } from '../../../fixtures/run-sql.js';

let gateway: Harness;
let key: string;
beforeAll(async () => {
  gateway = await startHarness();
  ({ key } = await gateway.issueKey());
});
afterAll(() => gateway.close());

const hash = (number: number): `0x${string}` => `0x${number.toString(16).padStart(64, '0')}`;
const body = (transactionHash: string, version = 'v2'): Uint8Array =>
  requestBytes({ schemaVersion: `service.multi-role-transaction-hint.${version}`, transactionHash });
const hint = (launch: DrivenLaunch, bytes: Uint8Array, as = key): Promise<Answer> =>
  call(`${gateway.url}${launch.created.statusUrl}/transaction-hints`, { key: as, body: bytes });
const ready = async (): Promise<DrivenLaunch> => {
  const launch = await reserveLaunch(gateway, key);
  await launch.authorized();
  return launch;
};

describe('Transaction hints', () => {
  it('A hint is recorded and signalled to the observation, and asserts nothing.', async () => {
    const launch = await ready();
    const before = (await launch.get()).json;
    const answer = await hint(launch, body(hash(1)));
    expect(answer.status).toBe(202);
    const receipt = transactionHintReceiptSchema.parse(answer.json);
    expect(receipt).toMatchObject({
      launchId: launch.launchId,
      transactionHash: hash(1),
      assertsInclusion: false,
      statusUrl: `${launch.created.statusUrl}/finality`,
    });
    expect((await launch.get()).json).toEqual(before);
    expect(gateway.workflows.signals).toContainEqual({ launchId: launch.launchId, transactionHash: hash(1) });
  });

  it('A repeated hint is 202 again with its first time.', async () => {
    const launch = await ready();
    const first = await hint(launch, body(hash(2)));
    const again = await hint(launch, body(hash(2)));
    expect([again.status, again.text]).toEqual([202, first.text]);
    expect(gateway.workflows.signals.filter(({ launchId }) => launchId === launch.launchId)).toHaveLength(1);
  });

  it('A launch takes at most 16 distinct hints, also concurrent ones.', async () => {
    const launch = await ready();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => hint(launch, body(hash(100 + index)))));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(16);
    expect(answers.filter((answer) => codeOf(answer) === 'HINT_LIMIT_REACHED' && answer.status === 422)).toHaveLength(
      4,
    );
    const [known] = answers.filter(({ status }) => status === 202);
    expect((await hint(launch, body(known?.json.transactionHash))).status).toBe(202);
  });

  it('A hint reaches the observation later when Temporal was unavailable.', async () => {
    const launch = await ready();
    gateway.workflows.down = true;
    expect((await hint(launch, body(hash(7)))).status).toBe(202);
    gateway.workflows.down = false;
    await runSql(gateway.database, 'UPDATE launch SET relay_after = now() WHERE launch_id = $1', [launch.launchId]);
    await gateway.relay.sweep();
    expect(gateway.workflows.signals).toContainEqual({ launchId: launch.launchId, transactionHash: hash(7) });
    expect(gateway.workflows.observations.findLast(({ launchId }) => launchId === launch.launchId)?.hints).toEqual([
      hash(7),
    ]);
  });
});
