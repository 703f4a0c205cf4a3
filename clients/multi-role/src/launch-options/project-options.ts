import { projectMetadataSchema, type ProjectMetadata } from '@launch/contracts/launch';
import type { OptionDeclaration } from '@launch/client-core/command';
import { z } from 'zod';
import type { OptionReader } from '../offline/option-reader.js';

/** Options of both builders that replace the file's choices about the project. */
export const PROJECT_OPTIONS: readonly OptionDeclaration[] = [
  { name: 'name', value: 'text', summary: 'replace the name of the token' },
  { name: 'symbol', value: 'text', summary: 'replace the symbol of the token' },
  { name: 'description', value: 'text', summary: 'replace the description' },
  { name: 'website', value: 'url', summary: 'replace the links by one https URL' },
  { name: 'image', value: 'file', summary: 'replace the image by a PNG or GIF' },
  { name: 'creator-buy-fee-bps', value: 'bps', summary: "replace the creator's fee of a buy (0 to 1000)" },
  { name: 'creator-sell-fee-bps', value: 'bps', summary: "replace the creator's fee of a sell (0 to 1000)" },
];

export interface TypedProject {
  /** The metadata that was typed, without the members that the file decides. */
  readonly metadata: Partial<Pick<ProjectMetadata, 'name' | 'symbol' | 'description' | 'links'>>;
  readonly fees: { readonly creatorBuyFeeBps?: number; readonly creatorSellFeeBps?: number };
}

const feeSchema = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,3})$/)
  .transform(Number)
  .refine((bps) => bps <= 1_000);

/** Reads the options about the project, except `--image`, whose file each builder reads. */
export function readProjectOptions(reader: OptionReader): TypedProject {
  const { name, symbol, description, links } = projectMetadataSchema.shape;
  const text = (bytes: number): string => `is empty, longer than ${bytes} bytes or has control characters`;
  const fee = 'is not a number of basis points from 0 to 1000';
  const website = z
    .string()
    .transform((url) => [{ label: 'Website', url }])
    .pipe(links);
  return {
    metadata: given({
      name: reader.read('name', name, text(64)),
      symbol: reader.read('symbol', symbol, text(16)),
      description: reader.read('description', description, text(1_200)),
      links: reader.read('website', website, 'is not an https URL of at most 512 characters'),
    }),
    fees: given({
      creatorBuyFeeBps: reader.read('creator-buy-fee-bps', feeSchema, fee),
      creatorSellFeeBps: reader.read('creator-sell-fee-bps', feeSchema, fee),
    }),
  };
}

/** Returns the members that are not null. */
const given = <T extends object>(members: T): { [Name in keyof T]?: NonNullable<T[Name]> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as never;
