// Finds what a node leaves in the kernel once its processes have ended, and how to remove it. Pure.

/** Chains of kube-proxy and kube-router, of the network plugins, and of this folder's own program. */
export const CHAINS = /^(KUBE|CNI|LAUNCH)-/;

/**
 * Returns what `iptables-restore --noflush` takes to remove the chains and every rule that leads to one.
 * @param {string} saved what `iptables-save` wrote
 */
export function removalOf(saved, chains = CHAINS) {
  const tables = [];
  for (const line of saved.split('\n')) {
    if (line.startsWith('*')) tables.push({ name: line.slice(1), flushed: [], rules: [] });
    const table = tables.at(-1);
    const [, chain] = /^:(\S+)/.exec(line) ?? [];
    if (chain !== undefined && chains.test(chain)) table.flushed.push(chain);
    const [, from, rule, target] = /^-A (\S+)( .*?-[jg] (\S+).*)$/.exec(line) ?? [];
    if (from !== undefined && !chains.test(from) && chains.test(target)) table.rules.push(`-D ${from}${rule}`);
  }
  const text = tables
    .filter(({ flushed, rules }) => flushed.length + rules.length > 0)
    .map(({ name, flushed, rules }) => [`*${name}`, ...flushed.map((chain) => `:${chain} - [0:0]`), ...rules, ...flushed.map((chain) => `-X ${chain}`), 'COMMIT']);
  return text.flat().join('\n');
}

/** Returns the mount points below a folder, the innermost first. @param {string} mounts what /proc/self/mounts has */
export function mountsBelow(mounts, folder) {
  const points = mounts.split('\n').flatMap((line) => line.split(' ')[1] ?? []);
  const unescaped = points.map((point) => point.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8))));
  return unescaped.filter((point) => point.startsWith(`${folder}/`)).toReversed();
}

/** Returns the names of kube-router's sets. @param {string} listed what `ipset list -name` wrote */
export const setsOf = (listed) => listed.split('\n').filter((name) => /^(inet6:)?(KUBE-|kube-router-)/.test(name));
