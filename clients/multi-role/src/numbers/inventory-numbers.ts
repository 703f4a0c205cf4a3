import type { JsonObject, JsonValue } from '@launch/contracts/json';
import type { InventoryProjectInput, LaunchNumbers } from '@launch/contracts/multi-role';
import { launchNumbers } from './launch-numbers.js';
import { AS_IN_THE_FILE, type TypedNumbers } from './number-options.js';

/** Computes the numbers of an inventory project. @throws {PackError} as `launchNumbers` */
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

/** Returns the project with the typed numbers, or unchanged without any. */
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
 * A project whose minimum is still to be computed may leave it at 0, which its schema refuses beside a purchase. Until then the
 * purchase is used in its place: 0 or positive, as the minimum will be.
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
