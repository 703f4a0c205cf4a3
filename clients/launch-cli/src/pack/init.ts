import { basename } from 'node:path';
import { getInitialBuyQuote, getLaunchCapabilities, getLaunchReadiness, type ApiClient } from '@launch/api-client';
import {
  INITIAL_BUY_QUOTE_MEMBERS,
  LAUNCH_CAPABILITIES_MEMBERS,
  LAUNCH_READINESS_MEMBERS,
} from '@launch/client-core/binding';
import { CUSTOM_LAUNCH_PROFILE_4_0 } from '@launch/contracts/launch';
import { LIMITS } from '@launch/contracts/primitives';
import { draftConfig } from '@launch/multi-role/custom-launch';
import { table, writeNewFile } from '@launch/multi-role/offline';
import type { Options, Outcome, World } from '../command.js';
import { EXIT, LaunchError } from '../launch.error.js';
import { ask, openService, patienceOf, requireBound } from '../service.js';
import { readInput } from './packing.js';

/**
 * `launch init`: creates a config with everything that the service publishes, for the user to review and change before packing.
 */
export async function init(options: Options, world: World): Promise<Outcome> {
  const { wallet, name, symbol, image, description = '', output } = options;
  const service = openService(world);
  const patient = patienceOf(options, world);
  const capabilities = await ask(service, getLaunchCapabilities, {}, patient);
  requireBound(LAUNCH_CAPABILITIES_MEMBERS, capabilities, undefined);
  const readiness = await ask(service, getLaunchReadiness, {}, patient);
  requireBound(LAUNCH_READINESS_MEMBERS, readiness, undefined);
  const { context } = capabilities.value;
  const { checkpoint } = readiness.value;
  if (context === null || checkpoint === null)
    throw new LaunchError(
      'LAUNCH_CLI_GATES_CLOSED',
      'the service has no context of custom launches, or no checkpoint now',
    );
  // Profile 4.0 has no buy.
  const hasBuy = context.document.profile.schemaVersion !== CUSTOM_LAUNCH_PROFILE_4_0;
  const initialBuyWei = hasBuy ? await recommendedBuy(service, context.contextHash, patient) : '0';
  const config = draftConfig(
    { contextHash: context.contextHash, checkpoint, initialBuyWei: hasBuy ? initialBuyWei : null },
    {
      launchWallet: wallet!,
      name: name!,
      symbol: symbol!,
      description,
      image: {
        path: `assets/${basename(image!)}`,
        base64: Buffer.from(readInput(image!, '--image', LIMITS.requestBytes)).toString('base64'),
      },
      publicOrigin: options['public-origin']!,
    },
  );
  world.signal.throwIfAborted();
  writeNewFile(output!, '--output', Buffer.from(`${JSON.stringify(config, null, 2)}\n`));
  const { image: _bytes, ...project } = config.project;
  return {
    exitCode: EXIT.done,
    httpStatus: null,
    resource: { ...config, project: { ...project, links: [] } },
    text: table([
      ['context', config.contextHash],
      ['wallet', config.launchWallet],
      ['buy', hasBuy ? `${initialBuyWei} wei, at least ${config.buy.minimumTokensOut} of the token` : 'none'],
      ['sign until', new Date(Number(config.permitWindow.deadline) * 1_000).toISOString()],
      ['to be changed', `${hasBuy ? 'minimumTokensOut, ' : ''}liquidity, creator and links, as you want them`],
    ]),
  };
}

/** Returns the recommended buy of a quote for the published context, in wei. */
async function recommendedBuy(service: ApiClient, contextHash: string, patient: World | null): Promise<string> {
  const quote = await ask(service, getInitialBuyQuote, {}, patient);
  requireBound(INITIAL_BUY_QUOTE_MEMBERS, quote, { contextHash });
  return quote.value.recommendedInitialBuyWei;
}
