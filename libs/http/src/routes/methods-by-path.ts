import type { Audience } from './cross-origin.js';
import type { RouteFamily } from './route.definition.js';

/** The parts of a family that answer requests without a matching route. */
type PathFamily = Pick<RouteFamily, 'parameters' | 'errors' | 'versions'>;

interface PathEntry {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
  readonly family: PathFamily;
  readonly audiences: Set<Audience>;
}

/** Collects every served path with its methods as routes are registered, and answers 405 and OPTIONS. */
export class MethodsByPath {
  private readonly entries = new Map<string, PathEntry>();

  /** @param audience the scripts of other origins that may read the route's answers */
  add(template: string, methods: readonly string[], family: PathFamily, audience: Audience | null = null): void {
    let entry = this.entries.get(template);
    if (entry === undefined) {
      const segments = template
        .split('/')
        .map((part) => (part.startsWith(':') ? formOf(family, part.slice(1)) : literal(part)));
      entry = { pattern: new RegExp(`^${segments.join('/')}$`), methods: new Set(), family, audiences: new Set() };
      this.entries.set(template, entry);
    }
    for (const method of methods) entry.methods.add(method);
    if (audience !== null) entry.audiences.add(audience);
  }

  /** Returns each method of each served path, including HEAD. */
  all(): readonly { readonly template: string; readonly methods: readonly string[] }[] {
    return [...this.entries].map(([template, { methods }]) => ({ template, methods: [...methods] }));
  }

  /**
   * Returns the methods of the path that a request names in the order of `Allow`, or null if the path is not served.
   */
  allowedFor(target: string): readonly string[] | null {
    const methods = new Set(this.entriesOf(target).flatMap((entry) => [...entry.methods]));
    if (methods.size === 0) return null;
    return ['GET', 'HEAD', 'POST', 'PUT'].filter((method) => methods.has(method)).concat('OPTIONS');
  }

  /** Returns the family of a path for any method, or null if the path is not served. */
  familyOf(target: string): PathFamily | null {
    return this.entriesOf(target)[0]?.family ?? null;
  }

  /** Returns the family of a path of which an audience may read answers, or null for another path. */
  sharedFamilyOf(target: string, audience: Audience): PathFamily | null {
    return this.entriesOf(target).find(({ audiences }) => audiences.has(audience))?.family ?? null;
  }

  private entriesOf(target: string): readonly PathEntry[] {
    const path = decoded(target.split(/[?#]/, 1)[0] ?? '');
    return [...this.entries.values()].filter(({ pattern }) => pattern.test(path));
  }
}

/** Escapes a segment of a path in Fastify's notation, which doubles colons. */
const literal = (part: string): string => part.replaceAll('::', ':').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns the form of a parameter. A segment that is refused with a specific code still matches the path. */
function formOf({ parameters }: PathFamily, name: string): string {
  const parameter = parameters[name];
  return parameter?.form === undefined || parameter.refusal !== undefined ? '[^/]+' : parameter.form;
}

/** Decodes a path like the router: reserved characters stay encoded. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
