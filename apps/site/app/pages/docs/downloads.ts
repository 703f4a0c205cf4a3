import {
  downloadLaunchCliRelease,
  getCapabilities,
  getDiscovery,
  getModuleCapabilities,
  type ApiClient,
} from '@launch/sdk/operations';
import { readPublic, type Read } from '../../site/gateway.js';

/** A file that the gateway serves, with the digest that another document of the gateway states. */
export interface Download {
  readonly name: string;
  readonly path: string;
  readonly version: string | null;
  readonly contentSha256: string;
}
export interface DownloadGroup {
  readonly title: string;
  readonly read: Read<readonly Download[]>;
}

interface Published {
  readonly path: string;
  readonly contentSha256: string;
}

const fileOf = ({ path, contentSha256 }: Published, version: string | null = null): Download => ({
  name: path.split('/').at(-1)!,
  path,
  version,
  contentSha256,
});
const mapped = <Value>(read: Read<Value>, list: (value: Value) => Download[]): DownloadGroup['read'] =>
  read.is === 'value' ? { is: 'value', value: list(read.value) } : read;
const isPublished = (value: unknown): value is Published =>
  typeof value === 'object' && value !== null && 'path' in value && 'contentSha256' in value;

/** Reads which programs and contracts this deployment publishes. */
export async function readDownloads(api: ApiClient): Promise<DownloadGroup[]> {
  const [discovery, release, modules, multiRole] = await Promise.all([
    readPublic(api, getDiscovery, {}),
    readPublic(api, downloadLaunchCliRelease, {}),
    readPublic(api, getModuleCapabilities, {}),
    readPublic(api, getCapabilities, {}),
  ]);
  const version = release.is === 'value' ? versionOf(release.value) : null;
  return [
    {
      title: 'Launch CLI',
      read: mapped(discovery, ({ clients: { launchCli } }) =>
        launchCli === null ? [] : [fileOf(launchCli.program, version), fileOf(launchCli.manifest, version)],
      ),
    },
    {
      title: 'Module CLI',
      read: mapped(modules, ({ clients }) => clients.map((one) => fileOf(one, one.version))),
    },
    {
      title: 'Index reader',
      read: mapped(discovery, ({ clients: { indexReader } }) =>
        indexReader === null ? [] : [fileOf(indexReader.program)],
      ),
    },
    {
      title: 'Multi-role client, packers and examples',
      read: mapped(multiRole, ({ documentation }) =>
        Object.values(documentation as object)
          .filter(isPublished)
          .map((one) => fileOf(one)),
      ),
    },
    {
      title: 'Machine contracts and the list of documents',
      read: mapped(discovery, ({ documentation, customLaunchApi: { versions } }) => [
        ...(versions.v4.openApiSha256 === null
          ? []
          : [
              {
                name: 'Machine contract of custom launches',
                path: `/v4/machine-contracts/sha256/${versions.v4.openApiSha256.slice('sha256:'.length)}`,
                version: versions.v4.profile,
                contentSha256: versions.v4.openApiSha256,
              },
            ]),
        fileOf({ path: versions.multiRoleV2.openApiUrl, contentSha256: versions.multiRoleV2.openApiSha256 }),
        fileOf(documentation),
      ]),
    },
  ];
}

const versionOf = (manifest: unknown): string | null => {
  const { version } = (manifest ?? {}) as { readonly version?: unknown };
  return typeof version === 'string' ? version : null;
};
