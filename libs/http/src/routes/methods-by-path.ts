import type { RouteFamily } from './route.definition.js';

/** What of a family requests are answered by that no route takes. */
type PathFamily = Pick<RouteFamily, 'parameters' | 'errors' | 'versions'>;

interface PathEntry {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
  readonly family: PathFamily;
}

/** Every served path with its methods, collected as routes are registered; answers 405 and OPTIONS. */
export class MethodsByPath {
  private readonly entries = new Map<string, PathEntry>();

  add(template: string, methods: readonly string[], family: PathFamily): void {
    let entry = this.entries.get(template);
    if (entry === undefined) {
      const segments = template
        .split('/')
        .map((part) => (part.startsWith(':') ? formOf(family, part.slice(1)) : literal(part)));
      entry = { pattern: new RegExp(`^${segments.join('/')}$`), methods: new Set(), family };
      this.entries.set(template, entry);
    }
    for (const method of methods) entry.methods.add(method);
  }

  /** What is served: each method of each path, HEAD among them, as routes are registered. */
  all(): readonly { readonly template: string; readonly methods: readonly string[] }[] {
    return [...this.entries].map(([template, { methods }]) => ({ template, methods: [...methods] }));
  }

  /** The methods of the path a request names, in the order of `Allow`; null when the path is not served. */
  allowedFor(target: string): readonly string[] | null {
    const methods = new Set(this.entriesOf(target).flatMap((entry) => [...entry.methods]));
    if (methods.size === 0) return null;
    return ['GET', 'HEAD', 'POST', 'PUT'].filter((method) => methods.has(method)).concat('OPTIONS');
  }

  /** Whose path it is, also with a method that it does not have; null when the path is not served. */
  familyOf(target: string): PathFamily | null {
    return this.entriesOf(target)[0]?.family ?? null;
  }

  private entriesOf(target: string): readonly PathEntry[] {
    const path = decoded(target.split(/[?#]/, 1)[0] ?? '');
    return [...this.entries.values()].filter(({ pattern }) => pattern.test(path));
  }
}

/** A segment of a path as Fastify writes it, which writes a colon twice. */
const literal = (part: string): string => part.replaceAll('::', ':').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A segment that is refused by a code of its own is one of the path. */
function formOf({ parameters }: PathFamily, name: string): string {
  const parameter = parameters[name];
  return parameter?.form === undefined || parameter.refusal !== undefined ? '[^/]+' : parameter.form;
}

/** As the router reads a path: what is reserved stays encoded. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
