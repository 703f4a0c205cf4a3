import type { ReadinessCheck } from '@launch/platform/readiness';

const PROBE_MS = 2_000;
/** A route that the gateway shares with the site alone. */
const OWNER_ROUTE = '/v4/chains/4663/multi-role-custom-launches';

/** Returns the checks of `/readyz`: the gateway answers, and lets the scripts of this site call owner routes. */
export const readinessChecks = (
  gatewayUrl: string,
  siteUrl: string | null,
): Readonly<Record<string, ReadinessCheck>> => ({
  gateway: async () => {
    const { status } = await probe(`${gatewayUrl}/healthz`);
    if (status !== 200) throw new Error(`the gateway answers ${status}`);
  },
  // The two processes read their own `SITE_URL`. If they differ, browsers refuse every call of an owner's page.
  ...(siteUrl === null
    ? {}
    : {
        siteUrl: async () => {
          const { headers } = await probe(`${gatewayUrl}${OWNER_ROUTE}`, { origin: siteUrl });
          if (headers.get('access-control-allow-origin') !== siteUrl)
            throw new Error(`the gateway does not admit ${siteUrl}; set SITE_URL of both to one origin`);
        },
      }),
});

async function probe(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(PROBE_MS) });
  await answer.body?.cancel();
  return answer;
}
