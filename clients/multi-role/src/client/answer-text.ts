import type { Finding } from '@launch/contracts/errors';
import type {
  AnyFinalityStatus,
  AnyFinalizedRecord,
  Capabilities,
  FinalizedList,
  LaunchList,
  LaunchResource,
  PreflightResult,
  TransactionHintReceipt,
} from '@launch/contracts/multi-role';
import { walletPageOf } from '@launch/client-core/command';
import type { WaitingNews } from './await-stage.js';
import type { Downloads } from './downloads.js';
import type { CheckedHandoff } from './handoff.js';
import { hasEnded, hasReached } from './launch-stage.js';
import { instant, plain, table } from './plain-text.js';

/** The members of a printed command besides the answer. */
export interface AnsweredCommand {
  readonly command: string;
  readonly replayed: boolean;
  readonly walletSaved: boolean;
  readonly responseSaved: boolean;
  readonly response: object;
}

/** Formats a result for a terminal: short, with the next step. A result without a text of its own is formatted JSON. */
export function answerText(result: AnsweredCommand, now: number): string {
  const text = TEXTS[result.command];
  const saved = result.responseSaved ? 'The whole response is saved.\n' : '';
  return `${text === undefined ? `${plainJson(result.response)}\n` : text(result, now)}${saved}`;
}

type Text = (result: AnsweredCommand, now: number) => string;

const TEXTS: Readonly<Record<string, Text>> = {
  download: ({ response }) => downloadsText(response as Downloads),
  'check-handoff': ({ response }) => handoffText(response as CheckedHandoff),
  capabilities: ({ response }) => capabilitiesText(response as Capabilities),
  preflight: ({ response }) => preflightText(response as PreflightResult),
  // The answer agrees with the request that was sent, so its digest is that of the sent bytes.
  create: (result, now) => launchText(result, now, (result.response as LaunchResource).requestSha256),
  get: (result, now) => launchText(result, now),
  wait: (result, now) => launchText(result, now),
  list: ({ response }, now) => listText(response as LaunchList, now),
  'transaction-hints': hintText,
  'recovery-transaction-hints': hintText,
  'transaction-hint-status': ({ response }, now) => finalityText(response as AnyFinalityStatus, now),
  finality: ({ response }, now) => finalityText(response as AnyFinalityStatus, now),
  'recovery-finality': ({ response }, now) => finalityText(response as AnyFinalityStatus, now),
  finalized: ({ response }) => feedText(response as FinalizedList),
  'finalized-record': ({ response }) => recordText(response as AnyFinalizedRecord),
};

/** Formats as JSON, which escapes control characters, and removes other characters that a terminal interprets. */
const plainJson = (value: object): string => JSON.stringify(value, null, 2).split('\n').map(plain).join('\n');

/** Formats each finding with the expected value, the actual value and the way out, where it has them. */
export const findingsText = (findings: readonly (Pick<Finding, 'path' | 'message'> & Partial<Finding>)[]): string =>
  findings
    .flatMap(({ code, severity, path, message, expected, actual, remediation }) => [
      `  ${[severity, code, path].filter((part) => part !== undefined && part !== '').join(' ')}: ${message}`,
      ...(expected == null ? [] : [`      expected  ${expected}`]),
      ...(actual == null ? [] : [`      actual    ${actual}`]),
      ...(remediation === undefined ? [] : [`      do        ${remediation.detail}`]),
    ])
    .map((line) => `${plain(line)}\n`)
    .join('');

function capabilitiesText({ readiness, context, contextCommitments }: Capabilities): string {
  return table([
    ['readiness', [readiness.status, ...readiness.reasonCodes].join(' ')],
    ['context', contextCommitments?.contextHash ?? 'none: nothing can be launched'],
    ['router', context?.chainDeployment.router.address ?? null],
    ['recipes', context?.profile.recipes.map(({ id, version }) => `${id} ${version}`).join(', ') ?? null],
    ['compilers', context?.profile.compilerVersions.join(', ') ?? null],
  ]);
}

function downloadsText({ readiness, files }: Downloads): string {
  const lines = files.map(({ file, downloaded }) => `as published  ${file}${downloaded ? '' : ' (was here)'}\n`);
  return `${lines.join('')}readiness     ${[readiness.status, ...readiness.reasonCodes].map(plain).join(' ')}\n`;
}

function handoffText({ checked, deadline }: CheckedHandoff): string {
  return table([
    ['hand-off', 'is the one of this request'],
    ['checked', checked.join(', ')],
    ['send until', new Date(Number(deadline) * 1_000).toISOString()],
  ]);
}

const DISPOSITIONS: Readonly<Record<PreflightResult['source']['disposition'], string>> = {
  source_supported: 'recognised; not yet admitted, nothing reserved',
  evidence_required: 'not covered, or a binding is wrong: see the findings',
  rejected: 'refused: correct it, build and pack again',
};

function preflightText({ source, findings }: PreflightResult): string {
  return (
    table([
      ['disposition', `${source.disposition}: ${DISPOSITIONS[source.disposition]}`],
      ['codes', source.findingCodes.length === 0 ? null : source.findingCodes.join(', ')],
      ['way out', source.remediation],
      [
        'next',
        source.disposition !== 'source_supported'
          ? null
          : findings.length > 0
            ? 'read what was found first: the launch would end with it'
            : 'node client.mjs create --request <file> --save-response created.json',
      ],
    ]) + findingsText(findings)
  );
}

/** @param sentSha256 digest of the request that the command sent; undefined for a read */
function launchText({ response, replayed, walletSaved }: AnsweredCommand, now: number, sentSha256?: string): string {
  const launch = response as LaunchResource;
  const { wallet, permitWindow, finality } = launch;
  const deadline = new Date(Number(permitWindow.deadline) * 1_000);
  const hasDeadline = !Number.isNaN(deadline.getTime());
  const ready = walletSaved
    ? 'the transaction is saved'
    : 'the transaction is ready; save it with get --save-wallet <file>';
  return (
    table([
      ['launch', `${launch.launchId}${replayed ? ' (as before: the request was known)' : ''}`],
      ['status', launch.statusReason === null ? launch.status : `${launch.status}: ${launch.statusReason}`],
      ['on-chain id', launch.onchainLaunchId],
      [
        'wallet',
        wallet === null || hasReached(launch, 'submitted')
          ? null
          : `${ready}${hasDeadline ? `, to be sent before ${instant(deadline.toISOString(), now)}` : ''}`,
      ],
      ...finalityRows(finality, now),
      ['page', launch.launchUrl],
      ['wallet page', walletPageOf(launch.walletUrl, sentSha256)],
      ['next', nextStepOf(launch)],
    ]) + findingsText(launch.findings)
  );
}

/** Returns the launcher's next step; null without one. */
function nextStepOf(launch: LaunchResource): string | null {
  const { launchId, status } = launch;
  if (status === 'finalized') return null;
  if (hasEnded(launch)) return 'correct what was found, and make a new request';
  if (hasReached(launch, 'submitted')) return `node client.mjs wait ${launchId} --until finalized`;
  if (hasReached(launch, 'authorized'))
    return 'node client.mjs wallet-request --request <file> --handoff <saved wallet>, then sign and send exactly that';
  return `node client.mjs wait ${launchId} --until authorized --save-wallet wallet.json`;
}

const finalityText = (finality: AnyFinalityStatus, now: number): string =>
  table([['launch', finality.launchId], ...finalityRows(finality, now)]);

function finalityRows(finality: AnyFinalityStatus, now: number): [string, string | null][] {
  const { state, inclusion, posting, observation, estimatedNextStageAt, basis, finalizedAt } = finality;
  return [
    ['finality', state],
    ['transaction', finality.transactionHash],
    [
      'included',
      inclusion === null
        ? null
        : `block ${inclusion.blockNumber}${inclusion.receiptStatus === 'reverted' ? ', REVERTED' : ''}`,
    ],
    ['posted', posting === null ? null : `batch ${posting.batchNumber} in Ethereum block ${posting.l1BlockNumber}`],
    ['finalized', finalizedAt],
    [
      'next stage',
      estimatedNextStageAt === null ? basis : `about ${instant(estimatedNextStageAt, now)}, ${basis ?? 'a guess'}`,
    ],
    [
      'observers',
      observation === null || observation.status === 'agreed'
        ? null
        : `${observation.status}${observation.reason === null ? '' : `: ${observation.reason}`}`,
    ],
  ];
}

/** Formats one line of a wait in progress. */
export function newsText(
  { status, statusReason, stage, estimatedNextStageAt, basis }: WaitingNews,
  now: number,
): string {
  const expected =
    estimatedNextStageAt === null
      ? basis
      : `next stage about ${instant(estimatedNextStageAt, now)}, ${basis ?? 'a guess'}`;
  const reached = stage === status ? status : `${stage} (${status})`;
  return `${plain([reached, statusReason, expected].filter((part) => part !== null).join('; '))}\n`;
}

function listText({ items, nextCursor }: LaunchList, now: number): string {
  const lines = items
    .map(({ launchId, status, createdAt }) => `${plain(launchId)}  ${status.padEnd(25)}  ${instant(createdAt, now)}\n`)
    .join('');
  return `${items.length === 0 ? 'no launches\n' : lines}${nextCursor === null ? '' : `more: --cursor ${plain(nextCursor)}\n`}`;
}

function hintText({ response }: AnsweredCommand): string {
  const { launchId, transactionHash } = response as TransactionHintReceipt;
  return table([
    ['launch', launchId],
    ['hint', `${transactionHash} is noted; that asserts no inclusion`],
  ]);
}

function feedText({ items, nextCursor }: FinalizedList): string {
  const lines = items.map(
    ({ onchainLaunchId, projectMetadata, market }) =>
      plain(`${onchainLaunchId}  ${market.token}  ${projectMetadata.symbol}  ${projectMetadata.name}`) + '\n',
  );
  return `${items.length === 0 ? 'no finalized launches\n' : lines.join('')}${nextCursor === null ? '' : `more: --cursor ${plain(nextCursor)}\n`}`;
}

function recordText({ onchainLaunchId, projectMetadata, market, provenance, finalizedAt }: AnyFinalizedRecord): string {
  return table([
    ['on-chain id', onchainLaunchId],
    ['name', `${projectMetadata.name} (${projectMetadata.symbol})`],
    ['token', market.token],
    ['transaction', provenance.transactionHash],
    ['finalized', finalizedAt],
  ]);
}
