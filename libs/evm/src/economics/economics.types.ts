/** The schema of an economics document, by the family of the launch. */
export type EconomicsSchema = 'service.multi-role-economics.v1' | 'service.custom-launch-economics.v1';

/**
 * Recognised economics as a document in wire form: everything that a holder could ask about the money of the launch.
 * `economicsHash` is the keccak-256 of its canonical JSON.
 */
export interface Economics {
  readonly schemaVersion: EconomicsSchema;
  readonly recipe: { readonly id: string; readonly version: string };
  readonly token: {
    readonly account: string;
    readonly name: string;
    readonly symbol: string;
    readonly decimals: 18;
    readonly supply: string;
  };
  readonly hook: string;
  readonly feeVault: string;
  readonly fees: {
    readonly platformBps: number;
    readonly platformRecipient: string;
    readonly creatorBuyBps: number;
    readonly creatorSellBps: number;
    readonly creatorRecipient: string;
  };
  readonly pool: {
    readonly poolManager: string;
    readonly poolId: string;
    readonly fee: 0;
    readonly tickSpacing: number;
    readonly sqrtPriceX96: string;
    readonly tickLower: number;
    readonly tickUpper: number;
    readonly liquidity: string;
  };
  /**
   * Present for the inventory recipe only: the seeder, the seeded amount and the residue that rounding leaves with it
   * permanently. Raw token units.
   */
  readonly inventory?: {
    readonly initializer: string;
    readonly inventoryRaw: string;
    readonly settledRaw: string;
    readonly residueRaw: string;
  };
  readonly buy: { readonly initialBuyWei: string; readonly minimumTokensOut: string };
}
