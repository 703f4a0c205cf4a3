/** The client of the public feeds and index reads. */
export { createPublicClient, type PublicClient } from './public/public-client.js';
export { LaunchClientError } from './transport/launch-client.error.js';
