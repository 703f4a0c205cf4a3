/** An answer of the service that the wallet page reads. */
export type AnswerName = 'launch' | 'request' | 'capabilities';

/** One field that the falsifying gateway alters, in one of its answers. */
export interface Falsification {
  readonly field: string;
  readonly answer: AnswerName;
  /** Alters the answer. @param sent the request that the controller packed */
  readonly alter: (answer: object, sent: object) => void;
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
    field: 'router in the terms',
    answer: 'capabilities',
    alter: (capabilities) => put(capabilities, 'context.document.chainDeployment.router.address', OTHER_ACCOUNT),
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

const PATHS: Readonly<Record<AnswerName, RegExp>> = {
  launch: /\/custom-launches\/[^/]+$/,
  request: /\/custom-launches\/[^/]+\/request$/,
  capabilities: /\/v4\/chains\/4663\/capabilities$/,
};

/** Returns the function that alters the service's answers by one falsification. @throws Error if it would change nothing */
export const falsifying =
  ({ answer, alter, field }: Falsification, sent: object) =>
  (url: string, body: Buffer): Buffer => {
    if (!PATHS[answer].test(new URL(url).pathname)) return body;
    const document = JSON.parse(body.toString()) as object;
    const before = JSON.stringify(document);
    alter(document, sent);
    const after = JSON.stringify(document);
    if (after === before) throw new Error(`the falsification of "${field}" changes nothing`);
    return Buffer.from(after);
  };
