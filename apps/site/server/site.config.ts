import { readFileSync } from 'node:fs';
import { trustedDeploymentsSchema, type PublicSettings } from '../app/site/settings.js';
import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65_535);
const origin = z.url({ protocol: /^https?$/ }).transform((value) => new URL(value).origin);
const JSON_LIMIT_BYTES = 1 << 20;
const MAX_PROXIES = 8;

export const configSchema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(0),
  /** The gateway as this server reaches it. */
  GATEWAY_URL: origin,
  /** The gateway as browsers reach it; `GATEWAY_URL` by default. */
  PUBLIC_GATEWAY_URL: origin.optional(),
  /** The origin of this site, as browsers reach it. */
  SITE_URL: origin.optional(),
  /** Block explorers that the pages link, by chain id: `{"4663":"https://…","1":"https://…"}`. */
  EXPLORER_URLS: z.string().default('{}'),
  /** File of the deployments that the wallet page trusts. Without one, the page refuses to have anything signed. */
  TRUSTED_DEPLOYMENTS_FILE: z.string().optional(),
  /** Proxies in front of this server whose `X-Forwarded-For` names the visitor; 0 trusts no header. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(MAX_PROXIES).default(0),
});

/** The settings of the server. */
export interface SiteConfiguration {
  readonly host: string;
  readonly port: number;
  readonly gatewayUrl: string;
  readonly trustedProxies: number;
  readonly publicSettings: PublicSettings;
}

const explorersSchema = z.partialRecord(z.enum(['1', '4663']), origin);

/** Reads a file of JSON. @throws Error if it is larger than 1 MiB or no JSON */
function readJson(file: string): unknown {
  const bytes = readFileSync(file);
  if (bytes.length > JSON_LIMIT_BYTES) throw new Error(`${file} is larger than ${JSON_LIMIT_BYTES} bytes`);
  return JSON.parse(bytes.toString('utf8')) as unknown;
}

/** Reads the settings from environment variables. @throws z.ZodError naming each variable that is missing or malformed */
export function readConfiguration(env: NodeJS.ProcessEnv): SiteConfiguration {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const values = configSchema.parse(given);
  return {
    host: values.HOST,
    port: values.PORT,
    gatewayUrl: values.GATEWAY_URL,
    trustedProxies: values.TRUSTED_PROXIES,
    publicSettings: {
      gatewayUrl: values.PUBLIC_GATEWAY_URL ?? values.GATEWAY_URL,
      siteUrl: values.SITE_URL ?? null,
      explorers: explorersSchema.parse(JSON.parse(values.EXPLORER_URLS) as unknown),
      trustedDeployments:
        values.TRUSTED_DEPLOYMENTS_FILE === undefined
          ? []
          : trustedDeploymentsSchema.parse(readJson(values.TRUSTED_DEPLOYMENTS_FILE)),
    },
  };
}
