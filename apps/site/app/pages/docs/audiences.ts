/** A kind of reader, the shortest path to their goal, and the pages on it. */
export interface Audience {
  readonly title: string;
  readonly text: string;
  /** The first command; null for a path that begins in another place. */
  readonly command: string | null;
  readonly links: readonly (readonly [to: string, name: string])[];
}

export const AUDIENCES: readonly Audience[] = [
  {
    title: 'Launch a token',
    text: 'Download the launch CLI, write a config, pack it and submit it. Your wallet signs and sends the transaction; the service never has its key.',
    command: 'curl -fsSO "$SERVICE_API_BASE_URL/v4/clients/launch-cli/launch.mjs"\nnode launch.mjs version --verify',
    links: [
      ['/docs/guides/custom-launch', 'Custom launches and plans'],
      ['/docs/guides/launch-cli', 'The launch CLI'],
      ['/docs/guides/multi-role-launch', 'Multi-role launches'],
    ],
  },
  {
    title: 'Contribute a module',
    text: 'Describe the sources of a module, submit them as a draft, and follow the review to a decision.',
    command: 'curl -fsS "$SERVICE_API_BASE_URL/v1/modules/capabilities"',
    links: [
      ['/docs/guides/module-contribution', 'Contributing a module'],
      ['/docs/reference/modules', 'Modules reference'],
      ['/author', 'My submissions'],
    ],
  },
  {
    title: 'Index coins',
    text: 'Read the coins of every source without a key, in pages that you can store and compare with the chain.',
    command: 'curl -fsS "$SERVICE_API_BASE_URL/api/indexers/v1/launches?limit=2"',
    links: [
      ['/docs/guides/indexing', 'Indexing coins'],
      ['/docs/reference/index-reads', 'Public reads'],
      ['/docs/api?q=coins', 'Operations'],
    ],
  },
  {
    title: 'Verify a launch',
    text: 'Check sources, the hand-off and the evidence of finality offline, without trust in the service.',
    command: 'curl -fsS "$SERVICE_API_BASE_URL/v4/chains/4663/finalized-custom-launches?limit=1"',
    links: [
      ['/docs/guides/verify-yourself', 'Verify it yourself'],
      ['/docs/guides/finality', 'Finality'],
      ['/docs/downloads', 'Programs and their digests'],
    ],
  },
  {
    title: 'Operate and monitor',
    text: 'Read what this deployment serves, whether its gates are open, and how current its index is. The guides of operators are in the repository.',
    command: 'curl -fsS "$SERVICE_API_BASE_URL/v4/chains/4663/readiness"',
    links: [
      ['/status', 'Status of the service'],
      ['/docs/reference/limits', 'Limits'],
      ['/docs/errors', 'Error codes'],
    ],
  },
];
