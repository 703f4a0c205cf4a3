import type { ApiClient } from '@launch/sdk/operations';
import type { PublicSettings } from './settings.js';

declare module 'react-router' {
  /** The values that the server passes to each loader. */
  interface AppLoadContext {
    readonly settings: PublicSettings;
    /** Calls the gateway's public routes from the server, without a key. */
    readonly api: ApiClient;
    /** The nonce of the response's inline scripts. */
    readonly nonce: string;
  }
}
