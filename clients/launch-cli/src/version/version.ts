import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { downloadLaunchCliRelease, getDiscovery, OPENAPI_SHA256 } from '@launch/api-client';
import { table } from '@launch/multi-role/offline';
import type { Options, Outcome, World } from '../command.js';
import { EXIT, LaunchError } from '../launch.error.js';
import { ask, openService } from '../service.js';
import { API_PROFILE, VERSION } from './release.js';

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** Describes this program. */
const ownRelease = ({ program }: World) => ({
  version: VERSION,
  apiProfile: API_PROFILE,
  sha256: digestOf(readFileSync(program)),
  openApiSha256: OPENAPI_SHA256,
});
type OwnRelease = ReturnType<typeof ownRelease>;

/** `launch version`: prints the version, and with `--verify` compares it with the published one. */
export async function version(options: Options, world: World): Promise<Outcome> {
  const own = ownRelease(world);
  if (options['verify'] === undefined)
    return { exitCode: EXIT.done, httpStatus: null, resource: own, text: textOf(own, null) };
  const { httpStatus, differences, sourceCommit } = await compareWithPublished(own, world);
  return {
    exitCode: differences.length === 0 ? EXIT.done : EXIT.refused,
    httpStatus,
    resource: { ...own, sourceCommit, isPublished: differences.length === 0, differences },
    text: textOf(own, differences),
  };
}

/** Reads the manifest that discovery names. @returns the members in which this program differs from the published one. */
async function compareWithPublished(own: OwnRelease, world: World) {
  const service = openService(world);
  const { launchCli } = (await ask(service, getDiscovery, {})).value.clients;
  if (launchCli === null)
    throw new LaunchError('LAUNCH_CLI_REFUSED', 'the deployment publishes no launch CLI', { httpStatus: 404 });
  const { status, value, bytes } = await ask(service, downloadLaunchCliRelease, {});
  const published = {
    version: value.version,
    apiProfile: value.apiProfile,
    sha256: value.file.sha256,
    openApiSha256: value.openApiSha256,
  };
  const differences = (Object.keys(own) as (keyof OwnRelease)[]).filter((member) => own[member] !== published[member]);
  return {
    httpStatus: status,
    differences: digestOf(bytes) === launchCli.manifest.contentSha256 ? differences : [...differences, 'manifest'],
    sourceCommit: value.sourceCommit,
  };
}

function textOf(own: OwnRelease, differences: readonly string[] | null): string {
  const verdict = differences?.length === 0 ? 'yes' : `no, another ${differences?.join(', ')}`;
  return table([
    ['launch', own.version],
    ['API profile', own.apiProfile],
    ['this file', own.sha256],
    ['OpenAPI document', own.openApiSha256],
    ['published as it is', differences === null ? null : verdict],
  ]);
}
