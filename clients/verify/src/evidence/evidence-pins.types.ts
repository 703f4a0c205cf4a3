/**
 * Facts from elsewhere that the bundle must agree with. Without them a pass covers only the bundle: a forger with a router, an
 * authority and two chains can make a bundle that agrees with itself.
 */
export interface EvidencePins {
  /** The content address the bytes must have, from the command line or the file's name. */
  readonly digest?: string | null;
  /** The original request's bytes; `null` for a file that is too long to be one. */
  readonly request?: Uint8Array | null;
  /** Hash of the Ethereum block that the checkpoint must be, from a trusted node. */
  readonly checkpoint?: string;
  /** Hash of the block of chain 4663 that the launch must be in, from a trusted node. */
  readonly l2Block?: string;
}
