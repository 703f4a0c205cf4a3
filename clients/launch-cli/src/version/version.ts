import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { OPENAPI_SHA256 } from '@launch/api-client';
import { table } from '@launch/multi-role/offline';
import type { Outcome } from '../command.js';
import { EXIT } from '../launch.error.js';
import { API_PROFILE, VERSION } from './release.js';

/** What this file is: in the bundle, every module's address is the file's own. */
export const ownRelease = () => ({
  version: VERSION,
  apiProfile: API_PROFILE,
  sha256: `sha256:${createHash('sha256')
    .update(readFileSync(new URL(import.meta.url)))
    .digest('hex')}`,
  openApiSha256: OPENAPI_SHA256,
});

/** `launch version`. */
export async function version(): Promise<Outcome> {
  const own = ownRelease();
  const text = table([
    ['launch', own.version],
    ['API profile', own.apiProfile],
    ['this file', own.sha256],
    ['OpenAPI document', own.openApiSha256],
  ]);
  return { exitCode: EXIT.done, httpStatus: null, resource: own, text };
}
