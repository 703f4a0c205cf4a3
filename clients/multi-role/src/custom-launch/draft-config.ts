import {
  CUSTOM_LAUNCH_PACK_CONFIG_SCHEMA,
  type CustomLaunchPackConfig,
  customLaunchPackConfigSchema,
} from '@launch/contracts/custom-launch';
import { bytesToHex } from 'viem/utils';
import { validateDocument } from '../offline/strict-document.js';

const WINDOW_SECONDS = 1_800;
/** The clock of the service may be behind the local one. */
const OPENED_SECONDS_AGO = 60;
/** A thousand million tokens of 18 decimals, over the range of the published inventory cases. */
const LIQUIDITY = { inventoryRaw: String(10n ** 27n), tickLower: 60_000, tickUpper: 184_200 };
const MAX_GAS_COST_WEI = String(5n * 10n ** 16n);
const NONCE_BYTES = 16;

/** The terms that the service publishes for a launch. */
export interface LaunchTerms {
  readonly contextHash: string;
  readonly checkpoint: { readonly blockNumber: string; readonly blockHash: string };
  /** The recommended buy; null under profile 4.0, which has no buy. */
  readonly initialBuyWei: string | null;
}

/** The choices of a launcher. */
export interface LaunchChoices {
  readonly launchWallet: string;
  readonly name: string;
  readonly symbol: string;
  readonly description?: string;
  /** A PNG or GIF, and its path among the sources. */
  readonly image: { readonly path: string; readonly base64: string };
  readonly publicOrigin: string;
}

/**
 * Drafts the config of a launch: the terms, the choices, a random nonce, a permit window of half an hour, and defaults for the
 * rest, which the launcher reviews and changes.
 * @throws {PackError} for choices that no launch can have
 */
export function draftConfig(terms: LaunchTerms, choices: LaunchChoices): CustomLaunchPackConfig {
  const { name, symbol, description = '', image, publicOrigin } = choices;
  const launchWallet = choices.launchWallet.toLowerCase();
  const validAfter = Math.floor(Date.now() / 1_000) - OPENED_SECONDS_AGO;
  const initialBuyWei = terms.initialBuyWei ?? '0';
  const nonce = BigInt(bytesToHex(crypto.getRandomValues(new Uint8Array(NONCE_BYTES))));
  return validateDocument(
    customLaunchPackConfigSchema,
    {
      schemaVersion: CUSTOM_LAUNCH_PACK_CONFIG_SCHEMA,
      contextHash: terms.contextHash,
      checkpoint: terms.checkpoint,
      launchWallet,
      nonce: String(nonce),
      permitWindow: { validAfter: String(validAfter), deadline: String(validAfter + WINDOW_SECONDS) },
      project: { name, symbol, description, links: [], image },
      publicOrigin,
      liquidity: LIQUIDITY,
      creator: { buyFeeBps: 0, sellFeeBps: 0, recipient: launchWallet },
      buy: { initialBuyWei, minimumTokensOut: terms.initialBuyWei === null ? '0' : '1' },
      budgets: { maxLaunchValueWei: initialBuyWei, maxGasCostWei: MAX_GAS_COST_WEI },
    },
    'MULTI_ROLE_PACK_CONFIG_INVALID',
  );
}
