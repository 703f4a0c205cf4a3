import { namedRecord } from '@launch/contracts/primitives';
import { z } from 'zod';

const hex = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/, '0x and whole bytes in hex')
  .transform((text) => text.toLowerCase() as `0x${string}`);
const address = hex.refine((text) => text.length === 42, 'a 20-byte address');
const word = hex.refine((text) => text.length === 66, 'one 32-byte word');

/** Addresses as a request lists them, or as solc's own settings write them: `{[path]: {[library]: address}}`. */
const libraries = z.union([
  z.array(z.strictObject({ path: z.string(), name: z.string(), address })).max(64),
  namedRecord(z.string(), namedRecord(z.string(), address)).transform((byPath) =>
    Object.entries(byPath).flatMap(([path, byName]) =>
      Object.entries(byName).map(([name, at]) => ({ path, name, address: at })),
    ),
  ),
]);

/** `match <case.json>`: a contract's sources, and the code to compare with them. */
export const matchCaseSchema = z.strictObject({
  /** `0.8.26`, or the compiler's long form with its commit, with or without the platform. */
  compilerVersion: z
    .string()
    .regex(
      /^v?\d+\.\d+\.\d+(?:\+commit\.[0-9a-f]{8}(?:\.(?!mod\.)\w+\.[\w+]+)?)?$/,
      'a version, alone or with +commit. and the first 8 digits of its commit',
    )
    .transform((text) => ({
      version: text.replace(/^v/, '').split('+')[0]!,
      commit: /\+commit\.([0-9a-f]{8})/.exec(text)?.[1] ?? null,
    })),
  /** The Standard JSON input, as an object or as its text. */
  standardJsonInput: z.union([z.string(), namedRecord(z.string(), z.unknown())]),
  target: z.strictObject({ path: z.string().min(1), contract: z.string().min(1) }),
  creationBytecode: hex.optional(),
  constructorArgs: hex.optional(),
  runtimeBytecode: hex.optional(),
  /** The address of the runtime; a library's runtime contains it. */
  address: address.optional(),
  libraries: libraries.optional(),
  immutables: namedRecord(z.string(), word).optional(),
});
export type MatchCase = z.output<typeof matchCaseSchema>;
