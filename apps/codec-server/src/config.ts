import { readFileSync } from 'node:fs';
import { loadConfig, port, Secret, url, workerFields } from '@launch/platform';
import { parsePayloadKeys, type PayloadKeys } from '@launch/temporal';
import { z } from 'zod';

const KEY_FILE = /^(?<namespace>[^\s=,]{1,255})=(?<file>[^,]+)$/;

/** `namespace=file,…`: the payload keys of each namespace, from files like `TEMPORAL_PAYLOAD_KEYS_FILE`. */
const keyFiles = () =>
  z
    .string()
    .max(8_192)
    .transform((text, context): ReadonlyMap<string, Secret<PayloadKeys>> => {
      const found = new Map<string, Secret<PayloadKeys>>();
      for (const entry of text.split(',')) {
        const { namespace, file } = KEY_FILE.exec(entry.trim())?.groups ?? {};
        if (namespace === undefined || file === undefined || found.has(namespace)) {
          context.addIssue({ code: 'custom', message: 'must read <namespace>=<file>,… with each namespace once' });
          return z.NEVER;
        }
        try {
          found.set(namespace, new Secret(parsePayloadKeys(readFileSync(file, 'utf8'))));
        } catch (error) {
          const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
          context.addIssue({ code: 'custom', message: `names no usable key file for ${namespace} (${reason})` });
          return z.NEVER;
        }
      }
      return found;
    });

export const configSchema = z.object({
  ...workerFields,
  PORT: port().default(0),
  /** Origin of the Temporal UI, whose pages may call this server. */
  TEMPORAL_UI_ORIGIN: url('https:', 'http:').transform((text) => new URL(text).origin),
  /** Payload keys of each namespace. */
  CODEC_KEY_FILES: keyFiles(),
  /** Issuer of the access tokens of the Temporal UI. */
  OIDC_ISSUER: url('https:', 'http:'),
  /** The audience that a token must name. */
  OIDC_AUDIENCE: z.string().min(1).max(255),
  /** The key set of the issuer. */
  OIDC_JWKS_URL: url('https:', 'http:'),
  /** A value that the claim `groups` of a token must contain. Absent: every token of the issuer for the audience. */
  OIDC_GROUP: z.string().min(1).max(255).optional(),
});
export type CodecConfig = z.output<typeof configSchema>;

/** @throws ConfigError naming every wrong variable. */
export const loadCodecConfig = (): CodecConfig => loadConfig(configSchema);
