import type { DataConverter } from '@temporalio/common';
import { EncryptingCodec } from './encrypting-codec.js';
import type { PayloadKeys } from './payload-keys.js';
import { PayloadSizeRule } from './size-rule.js';

/** A namespace, and the keys of its payloads if they are encrypted. */
export interface PayloadNamespace {
  readonly namespace: string;
  readonly payloadKeys?: PayloadKeys | undefined;
}

/** Returns the data converter of all clients, workers and replays of a namespace. The size rule counts plaintext. */
export const dataConverterOf = ({ namespace, payloadKeys }: PayloadNamespace): DataConverter => ({
  payloadCodecs: [
    new PayloadSizeRule(),
    ...(payloadKeys === undefined ? [] : [new EncryptingCodec(namespace, payloadKeys)]),
  ],
});
