import { canonicalJsonText } from '@launch/contracts/json';
import type { KeptAnswer } from './kept-release.js';

/** A member in which an answer of today may differ from the kept one, and why. Everything else is the same bytes. */
export interface Difference {
  /** Of the questions' names. */
  readonly of: RegExp;
  /** From the body's root; `*` is every index and every name. */
  readonly path: readonly string[];
  readonly why: string;
}

/** What no release decides: the moment, the deployment, the files that are published beside the answers. */
const PASSING: readonly Difference[] = [
  { of: /./, path: ['error', 'requestId'], why: 'names the request' },
  { of: /^finality readiness$/, path: ['checkedAt'], why: 'is the moment' },
  { of: /^capabilities$/, path: ['readiness'], why: 'says how the chain looks now; the recorded one is gone' },
  {
    of: /^capabilities$/,
    path: ['documentation', '*', 'contentSha256'],
    why: 'is of the files that the present release publishes',
  },
  {
    of: /^capabilities$/,
    path: ['documentation', 'requestPackaging', '*', 'contentSha256'],
    why: 'is of the files that the present release publishes',
  },
];

/**
 * What releases since have changed in answers about earlier launches, member by member: whoever changes one names it here, with
 * the reason. An entry that no answer shows fails the test.
 */
export const CHANGED_SINCE: readonly Difference[] = [
  { of: /^capabilities$/, path: ['routeId'], why: 'capabilities name the route' },
  { of: /^capabilities$/, path: ['routerProtocol'], why: 'capabilities name the protocol of the router' },
  { of: /^capabilities$/, path: ['limits'], why: 'capabilities publish the compile budget' },
];

/** The body with each named member as it was then; and which differences it took. */
export function asThen(
  name: string,
  today: string,
  then: string,
): { readonly text: string; readonly used: readonly Difference[] } {
  const [now, before] = [JSON.parse(today) as unknown, JSON.parse(then) as unknown];
  // Canonical bytes are the only ones, so that nothing hides between the members.
  if (canonicalJsonText(now as never) !== today) return { text: today, used: [] };
  const used = [...PASSING, ...CHANGED_SINCE]
    .filter(({ of }) => of.test(name))
    .filter(({ path }) => restore(now, before, path));
  return { text: canonicalJsonText(now as never), used };
}

/** Sets the members at a path to what they were, or takes them away. True when one differed. */
function restore(now: unknown, before: unknown, [step, ...rest]: readonly string[]): boolean {
  if (!isTree(now) || !isTree(before) || step === undefined) return false;
  const names = step === '*' ? Object.keys(now) : [step];
  return names
    .map((name) => {
      if (rest.length > 0) return restore(now[name], before[name], rest);
      if (JSON.stringify(now[name]) === JSON.stringify(before[name])) return false;
      if (name in before) now[name] = before[name];
      else delete now[name];
      return true;
    })
    .includes(true);
}

const isTree = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The length is of the body, which is compared itself; pages of the feeds have their digest since they can be mirrored. */
const NOT_COMPARED: ReadonlySet<string> = new Set(['content-length', 'content-digest']);

/** Headers that are to be the same. */
export const headersOf = ({ answerHeaders }: Pick<KeptAnswer, 'answerHeaders'>): Record<string, string> =>
  Object.fromEntries(Object.entries(answerHeaders).filter(([name]) => !NOT_COMPARED.has(name)));
