import { describe, expect, it } from '@jest/globals';
import { addressesOfGateway, stackSchema } from './stack.schema.js';

const GATEWAY = { url: 'http://127.0.0.1:4000', operationsUrl: 'http://127.0.0.1:4001' };
const stackAt = (siteUrl?: string) => ({
  schemaVersion: 'launch.stack.v1',
  ...addressesOfGateway(GATEWAY, siteUrl),
  reviewer: 'http://127.0.0.1:4002',
  temporal: {
    address: '127.0.0.1:4003',
    namespace: 'launches',
    custodyNamespace: 'custody',
    modulesNamespace: 'modules',
    ui: null,
  },
  rpc: { '4663': ['http://127.0.0.1:1', 'http://127.0.0.1:2'], '1': ['http://127.0.0.1:3', 'http://127.0.0.1:4'] },
  faults: null,
  controller: null,
  adminCommand: [],
  dataDir: '/data',
});

describe('stack.json', () => {
  it('names the gateway as the base of the API, of the site and of the developer API', () => {
    expect(stackSchema.parse(stackAt())).toMatchObject({
      gateway: GATEWAY.url,
      site: GATEWAY.url,
      devApi: GATEWAY.url,
      operations: GATEWAY.operationsUrl,
    });
  });

  it('names the site that the gateway links to', () => {
    const stack = stackSchema.parse(stackAt('https://site.example'));
    expect([stack.gateway, stack.site, stack.devApi]).toEqual([GATEWAY.url, 'https://site.example', GATEWAY.url]);
  });

  it.each(['site', 'devApi'])('is refused without %s', (member) => {
    const { [member]: _, ...rest } = stackAt() as Record<string, unknown>;
    expect(stackSchema.safeParse(rest).error?.issues).toMatchObject([{ path: [member] }]);
  });
});
