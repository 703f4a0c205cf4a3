import { describe, expect, it } from '@jest/globals';
import { finalizedRecordSchema } from './finalized.schema.js';

/** Paths of the schema's faults in a record of empty objects. */
const faults = new Set(
  finalizedRecordSchema
    .safeParse({
      market: {},
      chainBindings: {},
      components: [{}],
      sourcePublication: { sourcify: 'verified', blockExplorer: 'verified' },
      indexerPublication: 'claimed',
      signature: '0x',
    })
    .error?.issues.flatMap(({ path, code, ...issue }) =>
      code === 'unrecognized_keys' && 'keys' in issue ? issue.keys : [path.join('.')],
    ),
);

describe('A finalized record', () => {
  it.each([
    ['the identity of a coin', ['caip2', 'market.token']],
    ['the identity of its provenance', ['caip2', 'chainBindings.router', 'onchainLaunchId']],
    ['both ids of the launch', ['apiLaunchId', 'onchainLaunchId']],
    [
      'what each component is',
      ['account', 'roleMask', 'runtimeCodeHash', 'scope', 'resultIndex'].map((name) => `components.0.${name}`),
    ],
  ])('is invalid without %s', (_what, fields) => {
    for (const field of fields) expect([...faults]).toContain(field);
  });

  it('claims no source publication and no indexer, and has no member for a signature', () => {
    for (const field of [
      'sourcePublication.sourcify',
      'sourcePublication.blockExplorer',
      'indexerPublication',
      'signature',
    ])
      expect([...faults]).toContain(field);
  });
});
