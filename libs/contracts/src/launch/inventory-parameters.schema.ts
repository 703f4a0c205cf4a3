import { z } from 'zod';
import { addressSchema, uint256Schema } from '../primitives/scalars.schema.js';

const tickSchema = z.number().int().min(-887_272).max(887_272);
const creatorFeeSchema = z.number().int().min(0).max(1_000);
const positive = (text: string): boolean => text !== '0';

/** Raw token units, wei, basis points, ticks of token per native unit. */
export const inventoryChoices = {
  /** The whole raw supply, 18 decimals, within a signed 128-bit integer. */
  inventoryRaw: uint256Schema.refine(
    (text) => positive(text) && BigInt(text) < 1n << 127n,
    'must be positive and fit int128',
  ),
  tickLower: tickSchema,
  /** The pool starts here; strictly below the maximum tick. */
  tickUpper: tickSchema.max(887_271),
  tickSpacing: z.number().int().min(1).max(32_767),
  creatorBuyFeeBps: creatorFeeSchema,
  creatorSellFeeBps: creatorFeeSchema,
  initialBuyWei: uint256Schema,
  minimumTokensOut: uint256Schema,
};

/** Rules between parameters. The code that computes alignment and liquidity judges their limits. */
export function withInventoryRules<
  Shape extends z.ZodType<{ tickLower: number; tickUpper: number; initialBuyWei: string; minimumTokensOut: string }>,
>(schema: Shape) {
  return schema
    .superRefine(({ tickLower, tickUpper }, issues) => {
      if (tickLower < tickUpper) return;
      const message =
        tickLower > tickUpper
          ? 'must be above tickLower: tickLower and tickUpper are swapped'
          : 'must be above tickLower';
      issues.addIssue({ code: 'custom', message, path: ['tickUpper'], params: { expected: `above ${tickLower}` } });
    })
    .refine(({ initialBuyWei, minimumTokensOut }) => positive(initialBuyWei) === positive(minimumTokensOut), {
      message: 'initialBuyWei and minimumTokensOut are both 0 or both positive',
      path: ['minimumTokensOut'],
    });
}

export const inventoryParametersSchema = withInventoryRules(
  z.strictObject({
    ...inventoryChoices,
    creatorRecipient: addressSchema.refine(
      (account) => /[1-9a-f]/.test(account.slice(2)),
      'must not be the zero address',
    ),
  }),
);
export type InventoryParameters = z.infer<typeof inventoryParametersSchema>;
