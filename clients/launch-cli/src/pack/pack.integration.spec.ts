import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { customLaunchPackReportSchema, type CustomLaunchPackConfig } from '@launch/contracts/custom-launch';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { reportExample } from '../../../../apps/api-gateway/src/products/reports/http/launch-reports.example.js';
import { AnsweringServer, json } from '../../../multi-role/src/fixtures/answering-server.fixture.js';
import { REPOSITORY, temporaryFolder } from '../../../multi-role/src/fixtures/bundle.fixture.js';
import { customLaunchConfig, customLaunchContext } from '../../../multi-role/src/fixtures/custom-launch.fixture.js';
import { inventoryMaterial } from '../../../multi-role/src/fixtures/inventory.fixture.js';
import { launchIn } from '../fixtures/launch-run.fixture.js';

const GOOD = new URL('../../../../libs/launch-rules/testdata/requests/custom-launch.v4.json', import.meta.url);

const folder = temporaryFolder();
const service = new AnsweringServer();
const context = customLaunchContext();
const config = customLaunchConfig(context);
let origin: string;
beforeAll(async () => {
  origin = await service.start();
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});

let files = 0;
/** Creates a folder with a config, and runs `launch pack` in it. */
async function packed(given: CustomLaunchPackConfig | string, more: readonly string[] = []) {
  const own = join(folder.path, String((files += 1)));
  mkdirSync(own);
  const [configFile, output] = [join(own, 'config.json'), join(own, 'request.json')];
  writeFileSync(configFile, typeof given === 'string' ? given : JSON.stringify(given, null, 2));
  const run = await launchIn(
    { SERVICE_API_BASE_URL: origin },
    { material: inventoryMaterial() },
  )(...['pack', '--config', configFile, '--output', output, ...more]);
  return { ...run, output };
}
const offline = () => {
  const file = join(folder.path, 'context.json');
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(context));
  return ['--context', file];
};

describe('launch pack', () => {
  it('packs the same config to the same bytes, offline by a context file and by the published one', async () => {
    const seen = service.seen.length;
    const first = await packed(config, offline());
    expect([first.exitCode, first.stderr, service.seen.length]).toEqual([0, '', seen]);
    const { request } = parseStrictJson(readFileSync(GOOD)) as { readonly request: object };
    const bytes = readFileSync(first.output);
    expect([bytes.equals(canonicalizeJson(request)), statSync(first.output).mode & 0o777]).toEqual([true, 0o600]);
    const report = customLaunchPackReportSchema.parse(first.result.resource);
    expect(first.result).toMatchObject({ command: 'pack', httpStatus: null, replayed: false });
    expect(report).toMatchObject({ byteLength: bytes.length, contextHash: config.contextHash });

    const published = { contextHash: config.contextHash, document: context };
    service.answer = json(200, { ...reportExample('capabilities'), context: published });
    const second = await packed(config);
    expect(readFileSync(second.output).equals(bytes)).toBe(true);
    expect(service.seen.slice(seen).map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/v4/chains/4663/capabilities', undefined],
    ]);
  });

  it.each<[string, CustomLaunchPackConfig | string, string]>([
    ['another context', { ...config, contextHash: `0x${'0'.repeat(64)}` }, '/contextHash'],
    ['no buy', { ...config, buy: { initialBuyWei: '0', minimumTokensOut: '0' } }, '/buy/initialBuyWei'],
    ['a member too many', JSON.stringify({ ...config, more: 1 }), ''],
    ['a repeated member', `{"nonce":"1",${JSON.stringify(config).slice(1)}`, ''],
  ])('refuses a config with %s, names the place and writes nothing', async (_what, given, path) => {
    const { exitCode, failure, output } = await packed(given, offline());
    expect([exitCode, failure?.error.code, existsSync(output)]).toEqual([3, 'LAUNCH_CLI_CONFIG_INVALID', false]);
    expect(failure?.error.findings.map((one: { readonly path: string }) => one.path)).toContain(path);
  });

  it('ends with 11 when the output exists already or the config does not', async () => {
    const { output } = await packed(config, offline());
    const again = launchIn({}, { material: inventoryMaterial() });
    const kept = readFileSync(output);
    const configFile = join(folder.path, '1', 'config.json');
    expect((await again('pack', '--config', configFile, '--output', output, ...offline())).exitCode).toBe(11);
    expect(readFileSync(output).equals(kept)).toBe(true);
    const gone = join(REPOSITORY, 'no-such-config.json');
    expect((await again('pack', '--config', gone, '--output', `${output}.2`, ...offline())).exitCode).toBe(11);
  });

  it('ends with 8 when the service publishes no context', async () => {
    service.answer = json(200, { ...reportExample('capabilities'), context: null });
    expect((await packed(config)).exitCode).toBe(8);
  });

  it.each([
    ['--config', ['pack', '--output', 'x']],
    ['--output', ['pack', '--config', 'x']],
  ])('requires %s', async (_option, argv) => {
    expect((await launchIn({})(...argv)).exitCode).toBe(2);
  });
});
