import type { DataConverter } from '@temporalio/common';
import { EncryptingCodec } from './encrypting-codec.js';
import type { PayloadKeys } from './payload-keys.js';
import { PayloadSizeRule } from './size-rule.js';

/** A namespace, and the keys of its payloads if they are encrypted. */
export interface PayloadNamespace {
  readonly namespace: string;
  /** The namespace whose histories have the payloads, if it is another one: a Nexus operation leaves its values with its caller. */
  readonly payloadNamespace?: string | undefined;
  readonly payloadKeys?: PayloadKeys | undefined;
}

/** Returns the data converter of all clients, workers and replays of a namespace. The size rule counts plaintext. */
export const dataConverterOf = ({
  namespace,
  payloadNamespace = namespace,
  payloadKeys,
}: PayloadNamespace): DataConverter => ({
  payloadCodecs: [
    new PayloadSizeRule(),
    ...(payloadKeys === undefined ? [] : [new EncryptingCodec(payloadNamespace, payloadKeys)]),
  ],
});
