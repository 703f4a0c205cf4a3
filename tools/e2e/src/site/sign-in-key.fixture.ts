import { canonicalizeJson } from '@launch/contracts/json';
import type { PrivateKeyAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';

interface Parts {
  readonly domain: string;
  readonly uri: string;
  readonly version: '1';
  readonly chainId: string;
  readonly statement: string;
  readonly nonce: string;
  readonly issuedAt: string;
  readonly expirationTime: string;
}

/** Signs in as a program of the owner. The wallet's keys are of one lineage, so the website reads what this key submitted. */
export async function signInKey(gateway: string, account: PrivateKeyAccount): Promise<string> {
  const post = async (path: string, body?: Uint8Array): Promise<unknown> => {
    const response = await fetch(`${gateway}/v4/auth/siwe/${path}`, {
      method: 'POST',
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: Buffer.from(body) }),
    });
    if (response.status !== 201) throw new Error(`${path} answers ${response.status} ${await response.text()}`);
    return response.json();
  };
  const parts = (await post('nonce')) as Parts;
  const message = createSiweMessage({
    address: account.address,
    chainId: Number(parts.chainId),
    domain: parts.domain,
    nonce: parts.nonce,
    statement: parts.statement,
    uri: parts.uri,
    version: parts.version,
    issuedAt: new Date(parts.issuedAt),
    expirationTime: new Date(parts.expirationTime),
  });
  const signature = await account.signMessage({ message });
  return ((await post('keys', canonicalizeJson({ message, signature }))) as { readonly key: string }).key;
}
