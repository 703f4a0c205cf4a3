const GATES = ['publicAuthorization', 'publicWrites', 'releaseReady'] as const;

type Gates = Readonly<Record<(typeof GATES)[number], boolean>>;

/** The parts of discovery that have gates. */
interface Discovered {
  readonly customLaunchApi: {
    readonly versions: { readonly v4: Gates & { readonly chains: readonly (Gates & { readonly chainId: string })[] } };
  };
}

/** Returns the gates that are closed to new requests on chain 4663, from both places in discovery. */
export function closedGates({ customLaunchApi }: Discovered): readonly string[] {
  const { v4 } = customLaunchApi.versions;
  const places = [v4, ...v4.chains.filter(({ chainId }) => chainId === '4663')];
  return GATES.filter((gate) => places.length < 2 || places.some((place) => place[gate] !== true));
}
