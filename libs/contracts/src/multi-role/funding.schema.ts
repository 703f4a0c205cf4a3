import { z } from 'zod';
import { uint256Schema } from '../primitives/scalars.schema.js';

export const fundingSchema = z.strictObject({ totalValueWei: uint256Schema });
export const fundingPlanSchema = z.strictObject({
  initialBuyWei: uint256Schema,
  minimumTokensOut: uint256Schema,
  nativeLiquidityWei: uint256Schema,
  maxGasCostWei: uint256Schema,
});
