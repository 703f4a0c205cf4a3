/** The folder of secrets that docker-compose.yml mounts, from the root of the checkout. */
export const DEFAULT_SECRETS = 'deploy/secrets';
