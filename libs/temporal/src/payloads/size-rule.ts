import { ApplicationFailure } from '@temporalio/common';
import type { Payload, PayloadCodec } from '@temporalio/common';

/** The largest argument or result in bytes: larger values travel between services as a content hash. */
export const MAX_PAYLOAD_BYTES = 64 * 1024;

/** Refuses outgoing payloads over the limit; reads everything that is already in a history. */
export class PayloadSizeRule implements PayloadCodec {
  async encode(payloads: Payload[]): Promise<Payload[]> {
    for (const payload of payloads) {
      const size = payload.data?.length ?? 0;
      if (size > MAX_PAYLOAD_BYTES) {
        throw ApplicationFailure.create({
          type: 'PAYLOAD_TOO_LARGE',
          nonRetryable: true,
          message: `a value of ${size} bytes was bound for a workflow history, which takes at most ${MAX_PAYLOAD_BYTES}: store it and send its hash`,
        });
      }
    }
    return payloads;
  }

  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads;
  }
}
