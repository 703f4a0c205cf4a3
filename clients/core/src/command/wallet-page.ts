/**
 * Returns the address of the wallet page for a terminal. With the request that a program sent, the address names its
 * digest in the fragment, which browsers send to no server: the page refuses to show another request.
 * @param requestSha256 digest of the bytes that the program sent or read, with its prefix; undefined without them
 */
export function walletPageOf(walletUrl: string | null, requestSha256: string | undefined): string | null {
  if (walletUrl === null || requestSha256 === undefined) return walletUrl;
  return `${walletUrl}#request=${requestSha256.slice('sha256:'.length)}`;
}
