export const CHAINS: RegExp;
export function removalOf(saved: string, chains?: RegExp): string;
export function mountsBelow(mounts: string, folder: string): readonly string[];
export function setsOf(listed: string): readonly string[];
