import type { z } from 'zod';
import { chainIdReasons } from '@launch/chain';
import { customLaunchContextSchema } from '@launch/contracts/launch';
import { contextSchema } from '@launch/contracts/multi-role';
import { CHAIN_ID } from '@launch/contracts/primitives';
import { deploymentOfContext, type TrustedDeployment } from '@launch/handoff';
import type { Command } from '../command.types.js';
import { DeployError } from '../deploy.error.js';
import { parseDocument, readJson } from '../documents.js';
import { observersOf, observersUnavailable, readObserverUrls } from '../observers.js';
import { DEFAULT_SECRETS, SECRETS_OPTION } from '../secrets/secrets-folder.js';
import { checkDeployment } from './check-deployment.js';

const MAX_CONTEXT_BYTES = 1024 * 1024;
const MS_A_SECOND = 1_000;

/** The options that name a context, with the family of its requests. */
const CONTEXTS = [
  { option: 'context', family: 'multi-role', schema: contextSchema },
  { option: 'custom-launch-context', family: 'custom-launch', schema: customLaunchContextSchema },
] as const satisfies readonly { option: string; family: TrustedDeployment['family']; schema: z.ZodType }[];

export const trustedDeploymentsCommand: Command = {
  summary: 'Print the deployments that the website lets wallets sign for',
  options: [
    { name: 'context', value: 'file', summary: 'the context of multi-role launches' },
    { name: 'custom-launch-context', value: 'file', summary: 'the context of custom launches and plans' },
    SECRETS_OPTION,
  ],
  details: `Compares each context with the chain: the code of the router and the PoolManager, the PoolManager of the router, and every
permit authority. Prints no deployment if one of them differs. Take the contexts from the release that you reviewed.

Environment: RPC_4663_URLS or RPC_4663_URLS_FILE, and RPC_1_URLS or RPC_1_URLS_FILE, instead of --secrets.
Output: the file for TRUSTED_DEPLOYMENTS_FILE (docs/guides/site.md), JSON.`,
  examples: [
    'trusted-deployments --context deploy/context.json',
    'trusted-deployments --context deploy/context.json --custom-launch-context deploy/custom-launch/context.json',
  ],
  async run(given, { env, progress }) {
    const named = CONTEXTS.flatMap(({ option, family, schema }) => {
      const file = given[option];
      if (file === undefined) return [];
      const context = parseDocument<typeof contextSchema | typeof customLaunchContextSchema>(
        schema,
        readJson(`--${option}`, file, MAX_CONTEXT_BYTES),
        'context',
      );
      return [{ family, context }];
    });
    if (named.length === 0)
      throw new DeployError(
        'ARGUMENTS_INVALID',
        'no context is named',
        'Name one by --context or --custom-launch-context.',
      );
    const l2 = observersOf(readObserverUrls(env, given['secrets'] ?? DEFAULT_SECRETS), CHAIN_ID);
    const [reason] = await chainIdReasons(l2, 'L2_CHAIN_ID_MISMATCH');
    if (reason === 'OBSERVERS_INDETERMINATE') throw observersUnavailable('the observers do not agree on their chain');
    if (reason !== undefined)
      throw new DeployError('CHAIN_DIFFERS', `an observer does not serve chain ${CHAIN_ID}`, 'Correct RPC_4663_URLS.');
    const now = BigInt(Math.floor(Date.now() / MS_A_SECOND));
    for (const { family, context } of named) {
      const owner = await checkDeployment(l2, context, now);
      progress(`${family}: the chain is as the context says; ${owner} owns the router and may change its authorities`);
    }
    const deployments = named.map(({ family, context }) => deploymentOfContext(family, context));
    return `${JSON.stringify(deployments, null, 2)}\n`;
  },
};
