/** Returns a command that downloads a file and compares its digest with the stated one. */
export function verifyCommand(gatewayUrl: string, path: string, contentSha256: string): string {
  const file = path.split('/').at(-1)!;
  const hex = contentSha256.slice('sha256:'.length);
  return `curl -fsSO "${gatewayUrl}${path}"\necho "${hex}  ${file}" | sha256sum --check`;
}
