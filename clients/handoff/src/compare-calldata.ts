import { EvmError, reviewedArguments, type Hex } from '@launch/evm';
import { callField } from './call-fields.js';
import { compared } from './comparison.js';
import type { HandoffCheck } from './handoff.types.js';
import type { Invocation, RecomputedLaunch } from './read-request.js';

interface Difference {
  readonly path: string;
  readonly claimed: unknown;
  readonly computed: unknown;
}

/** The place of a call among those of its step. */
export interface CallPlace {
  readonly index: number;
  /** A suffix of the names of its values; empty for the only call. */
  readonly suffix: string;
}

/** Compares the data of a call. Data that differ are named by their arguments where they can be decoded, else as a whole. */
export function dataChecks(
  launch: RecomputedLaunch,
  place: CallPlace,
  claimed: Hex | undefined,
  computed: Hex,
): readonly HandoffCheck[] {
  const id = `call.${place.index}.data`;
  const whole = compared({ id, subject: `the data${place.suffix}`, claimed, computed });
  if (whole.verdict === 'agrees') return [whole];
  const [theirs, ours] = [decoded(launch, claimed), launch.decode(computed)];
  const found = theirs === null ? [] : differencesOf(launch, theirs, ours);
  if (found.length === 0) return [whole];
  return found
    .filter(({ path }) => place.index > 0 || !isCompared(path))
    .map(({ path, ...values }) => {
      const { subject, show } = callField(path, launch, contractAt(launch, path, ours));
      return compared({ id: `${id}.${path}`, subject: `${subject}${place.suffix}`, ...values, show });
    });
}

/** The permit of the first call has checks of its own. */
const isCompared = (path: string): boolean => path.startsWith('permit.');

function decoded(launch: RecomputedLaunch, data: Hex | undefined): Invocation | null {
  if (data === undefined) return null;
  try {
    return launch.decode(data);
  } catch (error) {
    if (error instanceof EvmError) return null;
    throw error;
  }
}

function differencesOf(launch: RecomputedLaunch, claimed: Invocation, computed: Invocation): readonly Difference[] {
  const found = [...differences(claimed, computed)];
  // The arguments of another function or of another contract have nothing in common with the expected ones.
  const decisive = found.find(({ path }) => path === 'entryPoint' || path === 'step.ordinal');
  return decisive === undefined ? found.flatMap((one) => withArguments(launch, one, computed)) : [decisive];
}

function* differences(claimed: unknown, computed: unknown, path = ''): Generator<Difference> {
  if (!isObject(claimed) || !isObject(computed)) {
    if (claimed !== computed) yield { path, claimed, computed };
    return;
  }
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  if (Array.isArray(claimed) && Array.isArray(computed) && claimed.length !== computed.length) {
    yield { path: at('length'), claimed: claimed.length, computed: computed.length };
    return;
  }
  for (const name of Object.keys(computed)) yield* differences(claimed[name], computed[name], at(name));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Replaces a difference of creation code by those of its constructor's arguments, if the contract is a reviewed one. */
function withArguments(launch: RecomputedLaunch, found: Difference, computed: Invocation): readonly Difference[] {
  if (!found.path.endsWith('.initCode')) return [found];
  const { creationBytecode } = launch.request.graphBundle.components[componentAt(found.path, computed)]!;
  const [theirs, ours] = [found.claimed, found.computed].map((code) => argumentsOf(creationBytecode, code as Hex));
  if (theirs == null || ours == null) return [found];
  const within = [...differences(theirs, ours, found.path)];
  return within.length === 0 ? [found] : within;
}

function argumentsOf(creationCode: Hex, code: Hex): ReturnType<typeof reviewedArguments> {
  return code.startsWith(creationCode) ? reviewedArguments(creationCode, `0x${code.slice(creationCode.length)}`) : null;
}

function componentAt(path: string, computed: Invocation): number {
  if ('step' in computed && path.startsWith('step.component.')) return computed.step.ordinal;
  return Number(/^(?:call\.components|step\.componentHashes)\.(\d+)/.exec(path)?.[1] ?? -1);
}

const contractAt = ({ request }: RecomputedLaunch, path: string, computed: Invocation): string =>
  request.graphBundle.components[componentAt(path, computed)]?.componentId ?? '';
