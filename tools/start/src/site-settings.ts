import { readFile } from 'node:fs/promises';
import { customLaunchContextSchema } from '@launch/contracts/launch';
import { contextSchema } from '@launch/contracts/multi-role';
import { deploymentOfContext } from '@launch/handoff';
import { writePrivate, type DataFolder } from './data-folder.js';
import type { Ports } from './ports.js';
import type { PublishedContexts } from './published-contexts.js';
import type { ServiceName, ServiceWorld } from './services.js';

/** Variables of the caller's environment that set ports. */
export const PORT_VARIABLES: Readonly<Partial<Record<ServiceName, string>>> = {
  'api-gateway': 'PORT',
  site: 'SITE_PORT',
};

/**
 * Chooses the addresses of the site and the gateway, which name each other, and writes the deployments that the site trusts.
 * Returns null if the caller has a site of their own.
 */
export async function settleSite(
  folder: DataFolder,
  ports: Ports,
  env: NodeJS.ProcessEnv,
  contexts: PublishedContexts,
): Promise<ServiceWorld['site']> {
  if (env['SITE_URL']) return null;
  const port = await ports.choose('site', Number(env['SITE_PORT'] ?? 0));
  const gatewayPort = await ports.choose('api-gateway', Number(env['PORT'] ?? 0));
  const deploymentsFile = folder.file('trusted-deployments.json');
  await writePrivate(deploymentsFile, JSON.stringify(await trustedDeployments(contexts), null, 2));
  return { port, url: `http://127.0.0.1:${port}`, gatewayUrl: `http://127.0.0.1:${gatewayPort}`, deploymentsFile };
}

/** Returns the deployments of the published contexts, in the form of the site's `TRUSTED_DEPLOYMENTS_FILE`. */
async function trustedDeployments({
  contextFile,
  customLaunchContextFile,
}: Pick<PublishedContexts, 'contextFile' | 'customLaunchContextFile'>) {
  const multiRole = contextSchema.parse(JSON.parse(await readFile(contextFile, 'utf8')));
  const customLaunch =
    customLaunchContextFile === undefined
      ? undefined
      : customLaunchContextSchema.parse(JSON.parse(await readFile(customLaunchContextFile, 'utf8')));
  return [
    deploymentOfContext('multi-role', multiRole),
    ...(customLaunch === undefined ? [] : [deploymentOfContext('custom-launch', customLaunch)]),
  ];
}
