export const NODE: Readonly<Record<'nodeName' | 'nodeAddress' | 'podRange' | 'serviceRange' | 'apiServiceAddress' | 'dnsAddress', string>>;
export const SANDBOX_IMAGE: string;
export function kubeconfig(certificates: string, client: string): string;
export function containerdSettings(state: string, cniPlugins: string): string;
export function networkSettings(state: string): string;
export function kubeletSettings(state: string, cgroupRoot: string): string;
export function proxySettings(state: string): string;
export function processArguments(state: string): Readonly<Record<string, readonly string[]>>;
