import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { customLaunchPackConfigSchema, customLaunchPackReportSchema } from '@launch/contracts/custom-launch';
import { CUSTOM_LAUNCH_PROFILE_4_0 } from '@launch/contracts/launch';
import { canonicalKeccak } from '@launch/contracts/primitives';
import { INITIAL_BUY_QUOTE_PATH, initialBuyQuoteSchema, launchReportPath } from '@launch/contracts/reports';
import { INITIAL_BUY_QUOTE_EXAMPLE } from '../../../../apps/api-gateway/src/products/reports/http/initial-buy-quote.example.js';
import { reportExample } from '../../../../apps/api-gateway/src/products/reports/http/launch-reports.example.js';
import { AnsweringServer, json } from '../../../multi-role/src/fixtures/answering-server.fixture.js';
import { temporaryFolder } from '../../../multi-role/src/fixtures/bundle.fixture.js';
import { customLaunchConfig, customLaunchContext } from '../../../multi-role/src/fixtures/custom-launch.fixture.js';
import { inventoryMaterial } from '../../../multi-role/src/fixtures/inventory.fixture.js';
import { launchIn, type Ran } from '../fixtures/launch-run.fixture.js';

const folder = temporaryFolder();
const service = new AnsweringServer();
const context = customLaunchContext();
const { launchWallet, project } = customLaunchConfig(context);
const image = join(folder.path, 'logo.png');
const QUOTE = initialBuyQuoteSchema.parse({
  ...INITIAL_BUY_QUOTE_EXAMPLE,
  contextHash: canonicalKeccak(context),
  ...{ oneUsdReferenceWei: '1000', minimumInitialBuyWei: '1000', recommendedInitialBuyWei: '1050' },
});
const published = {
  ...reportExample('capabilities'),
  context: { contextHash: canonicalKeccak(context), document: context },
};
let launch: (...argv: readonly string[]) => Promise<Ran>;
const serving = (answers: Readonly<Record<string, object>>): void => {
  service.answer = (response, request) => {
    const body = answers[request.url];
    json(body === undefined ? 404 : 200, body ?? {})(response, request);
  };
};
const REPORTS = {
  [launchReportPath('capabilities')]: published,
  [launchReportPath('readiness')]: reportExample('readiness'),
  [INITIAL_BUY_QUOTE_PATH]: QUOTE,
};

beforeAll(async () => {
  writeFileSync(image, Buffer.from(project.image.base64, 'base64'));
  launch = launchIn({ SERVICE_API_BASE_URL: await service.start() }, { material: inventoryMaterial() });
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});

const init = (output: string, ...more: readonly string[]) =>
  launch(
    ...['init', '--name', 'Atlas', '--symbol', 'ATLAS', '--image', image, '--public-origin', 'https://atlas.example/'],
    ...['--output', output, ...(more.length > 0 ? more : ['--wallet', launchWallet])],
  );

describe('launch init', () => {
  it('creates a config that packs, from the published documents and without a key', async () => {
    serving(REPORTS);
    const [output, request] = [join(folder.path, 'launch.json'), join(folder.path, 'request.json')];
    expect(await init(output)).toMatchObject({ exitCode: 0, stderr: '' });
    const config = customLaunchPackConfigSchema.parse(JSON.parse(readFileSync(output, 'utf8')));
    expect(config).toMatchObject({
      contextHash: canonicalKeccak(context),
      checkpoint: (reportExample('readiness') as { readonly checkpoint: object }).checkpoint,
      launchWallet,
      buy: { initialBuyWei: '1050' },
      budgets: { maxLaunchValueWei: '1050' },
    });
    expect(statSync(output).mode & 0o777).toBe(0o600);
    expect(service.seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined, undefined]);

    const packed = await launch('pack', '--config', output, '--output', request);
    expect(packed.exitCode).toBe(0);
    expect(customLaunchPackReportSchema.parse(packed.result.resource).totalValueWei).toBe('1050');
    expect((await init(output)).exitCode).toBe(11);
  });

  it('creates a config without a buy under a context of profile 4.0, without a quote, and it packs', async () => {
    const former = customLaunchContext(CUSTOM_LAUNCH_PROFILE_4_0);
    const capabilities = { ...published, context: { contextHash: canonicalKeccak(former), document: former } };
    const { [INITIAL_BUY_QUOTE_PATH]: _none, ...reports } = REPORTS;
    serving({ ...reports, [launchReportPath('capabilities')]: capabilities });
    const [output, request] = [join(folder.path, 'former.json'), join(folder.path, 'former-request.json')];
    expect(await init(output)).toMatchObject({ exitCode: 0, stderr: '' });
    const config = customLaunchPackConfigSchema.parse(JSON.parse(readFileSync(output, 'utf8')));
    expect([config.buy, config.budgets.maxLaunchValueWei]).toEqual([
      { initialBuyWei: '0', minimumTokensOut: '0' },
      '0',
    ]);
    const packed = await launch('pack', '--config', output, '--output', request);
    expect([packed.exitCode, packed.stderr]).toEqual([0, '']);
    expect(customLaunchPackReportSchema.parse(packed.result.resource).totalValueWei).toBe('0');
  });

  it('writes nothing when the service has no context or no quote, or the wallet is invalid', async () => {
    const output = join(folder.path, 'nothing.json');
    serving({ ...REPORTS, [launchReportPath('capabilities')]: { ...published, context: null } });
    expect((await init(output)).exitCode).toBe(8);
    serving(REPORTS);
    expect(await init(output, '--wallet', '0x12')).toMatchObject({
      exitCode: 3,
      failure: { error: { findings: expect.arrayContaining([expect.objectContaining({ path: '/launchWallet' })]) } },
    });
    expect(existsSync(output)).toBe(false);
  });
});
