/** Creates the two published inert inventory inputs: same artifacts, same bytes. */
import { createHash } from 'node:crypto';
import { closureOf } from './closure.mjs';
import { referenceImage } from './reference-image.mjs';

const sha256 = (text) => `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;
const MAX_GAS_COST_WEI = '50000000000000000';
const tokens = (count) => `${count}${'0'.repeat(18)}`;

/** Returns an input without its live values, which are absent rather than invented. */
const inert = ({ slug, name, symbol, description, palette, parameters }) => ({
  schemaVersion: 'service.inventory-project-input.v3',
  context: null,
  launchWallet: null,
  nonce: null,
  permitWindow: null,
  project: {
    name,
    symbol,
    description,
    links: [{ label: 'Website', url: `https://${slug}.example/` }],
    image: { path: `assets/${slug}.png`, base64: referenceImage(palette).bytes.toString('base64') },
  },
  publicOrigin: `https://${slug}.example/source`,
  parameters: { ...parameters, creatorRecipient: null },
  maxGasCostWei: MAX_GAS_COST_WEI,
});

const atlas = inert({
  slug: 'atlas',
  name: 'Atlas',
  symbol: 'ATLAS',
  description: 'An inventory project without a purchase: a billion tokens in one range below their starting price.',
  palette: [
    [0x0e, 0x1b, 0x2c],
    [0x3f, 0x8e, 0xfc],
    [0xf7, 0xf9, 0xfc],
    [0x9b, 0xc5, 0x3d],
  ],
  parameters: {
    inventoryRaw: tokens(1_000_000_000),
    tickLower: 60_000,
    tickUpper: 184_200,
    tickSpacing: 60,
    creatorBuyFeeBps: 100,
    creatorSellFeeBps: 200,
    initialBuyWei: '0',
    minimumTokensOut: '0',
  },
});

const cedar = inert({
  slug: 'cedar',
  name: 'Cedar',
  symbol: 'CEDAR',
  description:
    'An inventory project with an atomic purchase of 0.01 ether: 21 million tokens, sold from a narrower range.',
  palette: [
    [0x1d, 0x14, 0x10],
    [0x8c, 0x4a, 0x2f],
    [0xf8, 0xf4, 0xec],
    [0x4f, 0x7d, 0x4a],
  ],
  parameters: {
    inventoryRaw: tokens(21_000_000),
    tickLower: 46_000,
    tickUpper: 138_000,
    tickSpacing: 200,
    creatorBuyFeeBps: 250,
    creatorSellFeeBps: 0,
    initialBuyWei: '10000000000000000',
    // The purchase brings about 9,560 tokens at the starting price after both fees. Below this minimum the launch must fail.
    minimumTokensOut: tokens(9_300),
  },
});

/**
 * @param {string} standardJson the compiler input in the builder
 * @param {{sources: object[], notices: object[]}} notices of that input
 * @param {{recipe: object, compilerVersion: string}} templateSet the reviewed recipe
 */
export function makeInventoryProjects(standardJson, notices, templateSet) {
  return {
    schemaVersion: 'service.inventory-projects.v3',
    recipe: templateSet.recipe,
    compiler: { version: templateSet.compilerVersion, standardJsonInputSha256: sha256(standardJson) },
    cases: { atlas, cedar },
    closure: closureOf(JSON.parse(standardJson).sources, notices),
  };
}
