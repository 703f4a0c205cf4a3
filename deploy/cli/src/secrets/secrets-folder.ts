import type { OptionDeclaration } from '@launch/client-core/command';

/** The folder of secrets that docker-compose.yml mounts, from the root of the checkout. */
export const DEFAULT_SECRETS = 'deploy/secrets';

export const SECRETS_OPTION: OptionDeclaration = {
  name: 'secrets',
  value: 'folder',
  summary: 'the folder of rpc-4663-urls and rpc-1-urls',
  default: DEFAULT_SECRETS,
};
