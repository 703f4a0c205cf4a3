import { customLaunchContextSchema } from '@launch/contracts/launch';
import { planRequestSchema } from '@launch/contracts/plans';
import { decodeRouterV1Calldata, encodeRouterV1Calldata, signedPlanSteps, type Hex } from '@launch/evm';
import { keccak256 } from 'viem';
import { sign } from 'viem/accounts';

/** An answer of the service that the wallet page reads. */
export type AnswerName = 'launch' | 'request' | 'capabilities' | 'plan';

/** One field that the falsifying gateway alters, in one of its answers. */
export interface Falsification {
  readonly field: string;
  readonly answer: AnswerName;
  /** Alters the answer. @param sent the request that the controller packed */
  readonly alter: (answer: object, sent: object) => void | Promise<void>;
}

const OTHER_ACCOUNT = `0x${'99'.repeat(20)}`;
const OTHER_HASH = `0x${'99'.repeat(32)}`;
const OTHER_DIGEST = `sha256:${'99'.repeat(32)}`;
const OTHER_ID = '00000000-0000-4000-8000-000000000000';

function valueAt(document: object, path: string): string {
  const value = path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document);
  if (typeof value !== 'string') throw new Error(`the answer has no text at ${path}`);
  return value;
}

function put(document: object, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop()!;
  const parent = names.reduce<object>((part, name) => (part as Record<string, object>)[name]!, document);
  (parent as Record<string, unknown>)[last] = value;
}

const inHandoff = (field: string, member: string, value: unknown): Falsification => ({
  field,
  answer: 'launch',
  alter: (launch) => put(launch, `handoff.${member}`, value),
});

const DATA = 'handoff.walletTransaction.data';
/** A change of the transaction's data only; the members beside it stay. */
const inData = (field: string, alter: (data: string, launch: object, sent: object) => string): Falsification => ({
  field,
  answer: 'launch',
  alter: (launch, sent) => put(launch, DATA, alter(valueAt(launch, DATA), launch, sent)),
});

const word = (value: string | bigint): string =>
  (typeof value === 'string' && value.startsWith('0x') ? value.slice(2) : BigInt(value).toString(16)).padStart(64, '0');

/** A change of one 32-byte word of the data, which the request determines. */
const wordInData = (
  field: string,
  before: (sent: object, launch: object) => string,
  after: (before: string) => string | bigint,
): Falsification =>
  inData(field, (data, launch, sent) => {
    const found = before(sent, launch);
    return data.replaceAll(word(found), word(after(found)));
  });
const more = (value: string): bigint => BigInt(value) + 1n;
const sentAt =
  (path: string) =>
  (sent: object): string =>
    valueAt(sent, path);

type Launched = Extract<ReturnType<typeof decodeRouterV1Calldata>, { entryPoint: 'launch' }>;

/** A change of the decoded data, which is encoded again in its canonical form. */
const inLaunch = (
  field: string,
  change: (launched: Launched, digest: Hex) => object | Promise<object>,
): Falsification => ({
  field,
  answer: 'launch',
  alter: async (launch) => {
    const launched = decodeRouterV1Calldata(valueAt(launch, DATA) as Hex) as Launched;
    const changed = await change(launched, valueAt(launch, 'handoff.permitDigest') as Hex);
    put(launch, DATA, encodeRouterV1Calldata({ ...launched, ...changed }));
  },
});

/** The constructor arguments of the hook, its last bytes: the second and third word from here are the fees of the creator. */
const HOOK_WORDS = 9;
const HOOK = 2;
const [FEE, PLATFORM_RECIPIENT, CREATOR_RECIPIENT] = [2, 4, 5] as const;
function withHookWord(code: string, index: number, value: string | bigint): Hex {
  const at = code.length - (HOOK_WORDS - index) * 64;
  return `${code.slice(0, at)}${word(value)}${code.slice(at + 64)}` as Hex;
}
const hookInLaunch = (field: string, index: number, value: string | bigint): Falsification =>
  inLaunch(field, ({ call }) => ({
    call: {
      ...call,
      components: call.components.map((component, at) =>
        at === HOOK ? { ...component, initCode: withHookWord(component.initCode, index, value) } : component,
      ),
    },
  }));
const HOOK_ARGUMENTS = `graphBundle.components.${HOOK}.constructorArgs`;
const hookInRequest = (field: string, index: number, value: string | bigint): Falsification => ({
  field,
  answer: 'request',
  alter: (request) => put(request, HOOK_ARGUMENTS, withHookWord(valueAt(request, HOOK_ARGUMENTS), index, value)),
});

/** Every falsification of a custom launch. */
export const FALSIFICATIONS: readonly Falsification[] = [
  inHandoff('called address', 'walletTransaction.to', OTHER_ACCOUNT),
  inHandoff('value', 'walletTransaction.value', '1'),
  inHandoff('sending account', 'walletTransaction.from', OTHER_ACCOUNT),
  inHandoff('chain', 'walletTransaction.chainId', '1'),
  inData('function in the data', (data) => `0xdeadbeef${data.slice('0x12345678'.length)}`),
  inData('one byte more in the data', (data) => `${data}00`),
  wordInData('controller in the permit', sentAt('launchWallet'), () => OTHER_ACCOUNT),
  wordInData('nonce in the permit', sentAt('nonce'), more),
  wordInData('start of the window in the permit', sentAt('permitWindow.validAfter'), more),
  wordInData('end of the window in the permit', sentAt('permitWindow.deadline'), more),
  wordInData('value in the permit', sentAt('funding.totalValueWei'), more),
  wordInData(
    'terms in the permit',
    (_sent, launch) => valueAt(launch, 'handoff.contextHash'),
    () => OTHER_HASH,
  ),
  wordInData(
    'request in the permit',
    (_sent, launch) => valueAt(launch, 'handoff.requestHash'),
    () => OTHER_HASH,
  ),
  inLaunch('minimum received in the data', ({ call }) => ({ call: { ...call, minimumTokensOut: 0n } })),
  hookInLaunch('fee of the creator in the data', FEE, 1_000n),
  hookInLaunch('recipient of the creator’s fee in the data', CREATOR_RECIPIENT, OTHER_ACCOUNT),
  hookInLaunch('recipient of the platform’s fee in the data', PLATFORM_RECIPIENT, OTHER_ACCOUNT),
  inLaunch('signer of the permit', async (_launched, hash) => ({
    signature: await sign({ hash, privateKey: keccak256('0x99'), to: 'hex' }),
  })),
  inHandoff('start of the window', 'validAfter', '1'),
  inHandoff('end of the window', 'deadline', '4000000000'),
  inHandoff('expiry', 'expiresAt', '2096-10-02T07:06:40.000Z'),
  inHandoff('SHA-256 of the request', 'requestSha256', OTHER_DIGEST),
  inHandoff('hash of the request', 'requestHash', OTHER_HASH),
  inHandoff('hash of the terms', 'contextHash', OTHER_HASH),
  inHandoff('hash of the launch', 'artifactHash', OTHER_HASH),
  inHandoff('digest of the permit', 'permitDigest', OTHER_HASH),
  inHandoff('name of the token', 'metadata.name', 'Another coin'),
  inHandoff('digest of the image', 'metadata.imageSha256', OTHER_DIGEST),
  { field: 'id of the launch', answer: 'launch', alter: (launch) => put(launch, 'launchId', OTHER_ID) },
  {
    field: 'controller in the request bytes',
    answer: 'request',
    alter: (request) => put(request, 'launchWallet', OTHER_ACCOUNT),
  },
  {
    field: 'end of the window in the request bytes',
    answer: 'request',
    alter: (request) => put(request, 'permitWindow.deadline', '4000000000'),
  },
  {
    field: 'minimum received in the request bytes',
    answer: 'request',
    alter: (request) => put(request, 'funding.minimumTokensOut', '2'),
  },
  hookInRequest('fee of the creator in the request bytes', FEE, 1_000n),
  hookInRequest('recipient of the creator’s fee in the request bytes', CREATOR_RECIPIENT, OTHER_ACCOUNT),
  {
    field: 'router in the terms',
    answer: 'capabilities',
    alter: (capabilities) => put(capabilities, 'context.document.chainDeployment.router.address', OTHER_ACCOUNT),
  },
  {
    field: 'router code in the terms',
    answer: 'capabilities',
    alter: (capabilities) => put(capabilities, 'context.document.chainDeployment.router.runtimeCodeHash', OTHER_HASH),
  },
  {
    field: 'recipient of the platform’s fee in the terms',
    answer: 'capabilities',
    alter: (capabilities) => put(capabilities, 'context.document.chainBindings.platformFeeRecipient', OTHER_ACCOUNT),
  },
  {
    field: 'permit authority in the terms',
    answer: 'capabilities',
    alter: (capabilities) => put(capabilities, 'context.document.chainBindings.permitAuthorities', [OTHER_ACCOUNT]),
  },
  {
    field: 'pool manager in the terms',
    answer: 'capabilities',
    alter: (capabilities) => put(capabilities, 'context.document.chainDeployment.poolManager.address', OTHER_ACCOUNT),
  },
];

interface OfferedPlan {
  steps: { ordinal: number; stepId: string; authorization: Record<string, unknown> | null }[];
}

/** Every falsification of a sequential plan whose first step is offered. @param context the document that the plan names */
export const planFalsifications = (context: unknown): readonly Falsification[] => [
  {
    field: 'order of the steps',
    answer: 'plan',
    alter: (plan) => {
      const { steps } = plan as OfferedPlan;
      const [first, second, third, ...rest] = steps as [OfferedPlan['steps'][number], ...OfferedPlan['steps']];
      Object.assign(plan, { steps: [first, { ...third, ordinal: 1 }, { ...second, ordinal: 2 }, ...rest] });
    },
  },
  {
    field: 'a step that is missing',
    answer: 'plan',
    alter: (plan) => Object.assign(plan, { steps: (plan as OfferedPlan).steps.toSpliced(2, 1) }),
  },
  {
    field: 'transaction of a later step',
    answer: 'plan',
    alter: (plan, sent) => {
      const body = planRequestSchema.parse(sent);
      const [{ authorization }] = (plan as OfferedPlan).steps as [OfferedPlan['steps'][number]];
      const { permit, signature } = decodeRouterV1Calldata(authorization!['data'] as Hex);
      const last = signedPlanSteps(body, customLaunchContextSchema.parse(context), { permit, signature }).at(-1)!;
      if (last.kind === 'atomic_launch') throw new Error('the plan is atomic');
      const { to, value, data } = last.call;
      Object.assign(authorization!, { to, value: value.toString(), data });
    },
  },
  {
    field: 'id of the plan',
    answer: 'plan',
    alter: (plan) => put(plan, 'planId', OTHER_ID),
  },
];

const PATHS: Readonly<Record<AnswerName, RegExp>> = {
  launch: /\/custom-launches\/[^/]+$/,
  request: /\/custom-launches\/[^/]+\/request$/,
  capabilities: /\/v4\/chains\/4663\/capabilities$/,
  plan: /\/custom-launch-plans\/[^/]+$/,
};

/** Returns the function that alters the service's answers by one falsification. @throws Error if it would change nothing */
export const falsifying =
  ({ answer, alter, field }: Falsification, sent: object) =>
  async (url: string, body: Buffer): Promise<Buffer> => {
    if (!PATHS[answer].test(new URL(url).pathname)) return body;
    const document = JSON.parse(body.toString()) as object;
    const before = JSON.stringify(document);
    await alter(document, sent);
    const after = JSON.stringify(document);
    if (after === before) throw new Error(`the falsification of "${field}" changes nothing`);
    return Buffer.from(after);
  };
