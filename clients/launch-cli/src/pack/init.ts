import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { getInitialBuyQuote, getLaunchCapabilities, getLaunchReadiness } from '@launch/api-client';
import {
  CUSTOM_LAUNCH_PACK_CONFIG_SCHEMA,
  type CustomLaunchPackConfig,
  customLaunchPackConfigSchema,
} from '@launch/contracts/custom-launch';
import { CUSTOM_LAUNCH_PROFILE_4_0 } from '@launch/contracts/launch';
import { LIMITS } from '@launch/contracts/primitives';
import { validateDocument } from '@launch/multi-role/custom-launch';
import { table, writeNewFile } from '@launch/multi-role/offline';
import type { Options, Outcome, World } from '../command.js';
import { EXIT, LaunchError } from '../launch.error.js';
import { ask, openService } from '../service.js';
import { readInput } from './packing.js';

const WINDOW_SECONDS = 1_800;
/** The clock of the service may be behind the local one. */
const OPENED_SECONDS_AGO = 60;
/** A thousand million tokens of 18 decimals, over the range of the published inventory cases. */
const LIQUIDITY = { inventoryRaw: String(10n ** 27n), tickLower: 60_000, tickUpper: 184_200 };
const MAX_GAS_COST_WEI = String(5n * 10n ** 16n);

/**
 * `launch init`: creates a config with everything that the service publishes, for the user to review and change before packing.
 */
export async function init(options: Options, world: World): Promise<Outcome> {
  const { wallet, name, symbol, image, description = '', output } = options;
  const service = openService(world);
  const { context } = (await ask(service, getLaunchCapabilities, {})).value;
  const { checkpoint } = (await ask(service, getLaunchReadiness, {})).value;
  if (context === null || checkpoint === null)
    throw new LaunchError(
      'LAUNCH_CLI_GATES_CLOSED',
      'the service has no context of custom launches, or no checkpoint now',
    );
  // Profile 4.0 has no buy.
  const hasBuy = context.document.profile.schemaVersion !== CUSTOM_LAUNCH_PROFILE_4_0;
  const initialBuyWei = hasBuy ? (await ask(service, getInitialBuyQuote, {})).value.recommendedInitialBuyWei : '0';
  const validAfter = Math.floor(Date.now() / 1_000) - OPENED_SECONDS_AGO;
  const config: CustomLaunchPackConfig = validateDocument(
    customLaunchPackConfigSchema,
    {
      schemaVersion: CUSTOM_LAUNCH_PACK_CONFIG_SCHEMA,
      contextHash: context.contextHash,
      checkpoint,
      launchWallet: wallet!.toLowerCase(),
      nonce: String(BigInt(`0x${randomBytes(16).toString('hex')}`)),
      permitWindow: { validAfter: String(validAfter), deadline: String(validAfter + WINDOW_SECONDS) },
      project: {
        name,
        symbol,
        description,
        links: [],
        image: {
          path: `assets/${basename(image!)}`,
          base64: Buffer.from(readInput(image!, '--image', LIMITS.requestBytes)).toString('base64'),
        },
      },
      publicOrigin: options['public-origin'],
      liquidity: LIQUIDITY,
      creator: { buyFeeBps: 0, sellFeeBps: 0, recipient: wallet!.toLowerCase() },
      buy: { initialBuyWei, minimumTokensOut: hasBuy ? '1' : '0' },
      budgets: { maxLaunchValueWei: initialBuyWei, maxGasCostWei: MAX_GAS_COST_WEI },
    },
    'MULTI_ROLE_PACK_CONFIG_INVALID',
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
      ['sign until', new Date((validAfter + WINDOW_SECONDS) * 1_000).toISOString()],
      ['to be changed', `${hasBuy ? 'minimumTokensOut, ' : ''}liquidity, creator and links, as you want them`],
    ]),
  };
}
