import type { JsonObject, JsonValue } from '@launch/contracts/json';
import type { InventoryProjectInput, LaunchNumbers } from '@launch/contracts/multi-role';
import { launchNumbers } from './launch-numbers.js';
import { AS_IN_THE_FILE, type TypedNumbers } from './number-options.js';

/** What an inventory project comes to. @throws {PackError} as `launchNumbers` */
export function inventoryNumbers(
  { parameters }: Pick<InventoryProjectInput, 'parameters'>,
  typed: TypedNumbers = AS_IN_THE_FILE,
): LaunchNumbers {
  const { tickLower, tickUpper, tickSpacing, creatorBuyFeeBps } = parameters;
  const choices = {
    ...{ tickLower, tickUpper, tickSpacing, creatorBuyFeeBps },
    supplyRaw: typed.supplyRaw ?? BigInt(parameters.inventoryRaw),
    initialBuyWei: BigInt(parameters.initialBuyWei),
    minimumTokensOut: BigInt(parameters.minimumTokensOut),
    slippageBps: typed.slippageBps,
  };
  return launchNumbers(choices, {
    supplyRaw: typed.supplyRaw === null ? '/parameters/inventoryRaw' : '--supply',
    tickLower: '/parameters/tickLower',
    tickUpper: '/parameters/tickUpper',
    tickSpacing: '/parameters/tickSpacing',
    initialBuyWei: '/parameters/initialBuyWei',
    minimumTokensOut: '/parameters/minimumTokensOut',
    slippageBps: '--slippage-bps',
  });
}

/** The project with the numbers that were typed; the same as before where none was. */
export function withInventoryNumbers(
  input: InventoryProjectInput,
  { supply, purchase }: LaunchNumbers,
): InventoryProjectInput {
  return {
    ...input,
    parameters: {
      ...input.parameters,
      inventoryRaw: supply.raw,
      minimumTokensOut: purchase?.minimumTokensOut.raw ?? '0',
    },
  };
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A project whose minimum is still to be computed may leave it 0, which its schema refuses beside a purchase. Until
 * then the purchase itself stands in for it, 0 or positive as the minimum will be.
 */
export function withMinimumToCome(document: JsonValue): JsonValue {
  const parameters = isObject(document) ? document['parameters'] : undefined;
  if (
    !isObject(document) ||
    !isObject(parameters) ||
    !('minimumTokensOut' in parameters) ||
    !('initialBuyWei' in parameters)
  )
    return document;
  return { ...document, parameters: { ...parameters, minimumTokensOut: parameters['initialBuyWei']! } };
}
