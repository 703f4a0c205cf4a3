import { z } from 'zod';

const pageSchema = z
  .string()
  .max(512)
  .regex(/^https?:\/\/[^\s]+$/, 'an HTTP URL')
  .nullable();

/** The pages of a launch or a plan on the deployment's website. */
export const sitePageMembers = {
  launchUrl: pageSchema.describe('The page of the launch on the website. Null if the deployment has no website.'),
  walletUrl: pageSchema.describe(
    'The page on the website where the controller reviews the transaction before signing. Null while the wallet has nothing to sign, and if the deployment has no website.',
  ),
} as const;
