import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { downloadLaunchCliRelease } from '@launch/api-client';
import { table } from '@launch/multi-role/offline';
import type { Options, Outcome, World } from '../command.js';
import { EXIT, LaunchError } from '../launch.error.js';
import { ask, openService, patienceOf, readDiscovery } from '../service.js';
import { API_PROFILE, OPENAPI_SHA256, VERSION } from './release.js';

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** Describes this program. */
const ownRelease = ({ program }: World) => ({
  version: VERSION,
  apiProfile: API_PROFILE,
  sha256: digestOf(readFileSync(program)),
  openApiSha256: OPENAPI_SHA256,
});
type OwnRelease = ReturnType<typeof ownRelease>;

/** `launch version`: prints the release, and with `--verify` compares it with the deployment. */
export async function version(options: Options, world: World): Promise<Outcome> {
  const own = ownRelease(world);
  if (options['verify'] === undefined)
    return { exitCode: EXIT.done, httpStatus: null, resource: own, text: textOf(own, null) };
  const { httpStatus, differences, sourceCommit } = await compareWithPublished(own, world, patienceOf(options, world));
  return {
    exitCode: differences.length === 0 ? EXIT.done : EXIT.refused,
    httpStatus,
    resource: {
      ...own,
      sourceCommit,
      isPublished: differences.length === 0,
      differences: differences.map((difference) => ({ ...difference })),
    },
    text: textOf(own, differences),
  };
}

/** A difference between this program and the deployment. */
interface Difference {
  /** The member that differs; `manifest` for the bytes of the manifest itself. */
  readonly member: keyof OwnRelease | 'manifest';
  /** The document that names the expected value. */
  readonly source: 'manifest' | 'discovery';
  readonly found: string;
  /** Null if the document names no value. */
  readonly expected: string | null;
}

/**
 * Compares this program with the manifest, and program, manifest and machine contract with discovery.
 * @throws {LaunchError} if the deployment publishes no program.
 */
async function compareWithPublished(own: OwnRelease, world: World, patient: World | null) {
  const service = openService(world);
  const { customLaunchApi, clients } = await readDiscovery(service, patient);
  const { launchCli } = clients;
  if (launchCli === null)
    throw new LaunchError('LAUNCH_CLI_REFUSED', 'the deployment publishes no launch CLI', { httpStatus: 404 });
  const { status, value, bytes } = await ask(service, downloadLaunchCliRelease, {}, patient);
  const { version: published, apiProfile, file, openApiSha256, sourceCommit } = value;
  const compared: readonly Difference[] = [
    { member: 'version', source: 'manifest', found: own.version, expected: published },
    { member: 'apiProfile', source: 'manifest', found: own.apiProfile, expected: apiProfile },
    { member: 'sha256', source: 'manifest', found: own.sha256, expected: file.sha256 },
    { member: 'openApiSha256', source: 'manifest', found: own.openApiSha256, expected: openApiSha256 },
    { member: 'sha256', source: 'discovery', found: own.sha256, expected: launchCli.program.contentSha256 },
    { member: 'manifest', source: 'discovery', found: digestOf(bytes), expected: launchCli.manifest.contentSha256 },
    {
      member: 'openApiSha256',
      source: 'discovery',
      found: own.openApiSha256,
      expected: customLaunchApi.versions.v4.openApiSha256,
    },
  ];
  return {
    httpStatus: status,
    differences: compared.filter(({ found, expected }) => found !== expected),
    sourceCommit,
  };
}

function textOf(own: OwnRelease, differences: readonly Difference[] | null): string {
  const isPublished = differences?.length === 0;
  return table([
    ['launch', own.version],
    ['API profile', own.apiProfile],
    ['this file', own.sha256],
    ['machine contract', own.openApiSha256],
    ['published as it is', differences === null ? null : isPublished ? 'yes' : 'no'],
    ...(differences ?? []).map(({ member, source, found, expected }): [string, string] => [
      `  ${member}`,
      `${found}, but ${expected ?? 'none'} in ${source === 'manifest' ? 'the manifest' : 'discovery'}`,
    ]),
  ]);
}
