import type { z } from 'zod';
import type {
  chainBindingsSchema,
  chainDeploymentSchema,
  compilerVersionsSchema,
  contextLimitsSchema,
  instructionPolicySchema,
  providerProfileSchema,
  publishedRecipesSchema,
} from './context-parts.schema.js';
import type { externalContractSchema, GraphBundle, liquidityModelSchema } from './graph.schema.js';
import type { PermitWindow } from './permit-window.schema.js';
import type { compilerVerificationSchema, ProjectMetadata, sourceSchema } from './source.schema.js';

/** The members of a published context that the rules, permits and stamps of all families read. */
export interface AnyLaunchContext {
  readonly profile: {
    readonly profileId: string;
    readonly instructionPolicy: z.infer<typeof instructionPolicySchema>;
    readonly compilerVersions: z.infer<typeof compilerVersionsSchema>;
    readonly recipes: z.infer<typeof publishedRecipesSchema>;
    readonly limits: z.infer<typeof contextLimitsSchema>;
  };
  readonly chainDeployment: z.infer<typeof chainDeploymentSchema>;
  readonly providerProfile: z.infer<typeof providerProfileSchema>;
  readonly chainBindings: z.infer<typeof chainBindingsSchema>;
}

/** A request of any family with its context, in the form that the shared rules read. */
export interface JudgedRequest {
  readonly context: AnyLaunchContext;
  readonly launchWallet: `0x${string}`;
  /** Decimal uint256. */
  readonly nonce: string;
  readonly permitWindow: PermitWindow;
  readonly source: z.infer<typeof sourceSchema>;
  readonly externalContracts: z.infer<typeof externalContractSchema>[];
  readonly graphBundle: GraphBundle;
  readonly projectMetadata: ProjectMetadata;
  readonly compilerVerification: z.infer<typeof compilerVerificationSchema>;
  readonly liquidityModel: z.infer<typeof liquidityModelSchema>;
  readonly funding: { readonly totalValueWei: string };
  /** Decimal wei and raw token units. */
  readonly fundingPlan: {
    readonly initialBuyWei: string;
    readonly minimumTokensOut: string;
    readonly nativeLiquidityWei: string;
  };
}
