/**
 * One Temporal namespace per family of work, with tokens of its own (docs/adr/0131): a token for one of them reaches no
 * work of another. These are the default names; a deployment may have others.
 */
export const NAMESPACES = {
  /** Launches, plans, their observation and the index. */
  launches: 'launches',
  /** The permit key. It has no workflow: launches call its operations. */
  custody: 'custody',
  /** Reviews of modules, and the builder, which compiles hostile packages. */
  modules: 'modules',
} as const;

/** The names of a deployment's namespaces. */
export type Namespaces = Readonly<Record<keyof typeof NAMESPACES, string>>;
