import { Card, Fact, Facts } from '../../ui/page.js';
import { CopyButton } from '../../ui/copy.js';
import { Badge, type Tone } from '../../ui/status.js';
import { Moment } from '../../ui/values.js';
import type { ChainCheck, HandoffCheck } from '@launch/handoff';
import type { Review } from './wallet-review.js';

/** Says in plain words what the controller pays and gets. Every value is recomputed. */
export const ReviewFacts = ({ review }: { review: Review }) => (
  <Card>
    <h2 className="text-lg font-semibold">What you sign</h2>
    <div className="mt-3">
      <Facts>
        {review.facts.map(({ id, label, display, value, note }) => (
          <Fact key={id} term={label}>
            <span data-fact={id}>
              <data value={value} title={value} className="break-words">
                <bdi>{display}</bdi>
              </data>
            </span>
            {/^0x[0-9a-f]{40}$/.test(value) && <CopyButton value={value} label={label} />}
            {(id === 'validAfter' || id === 'deadline') && (
              <span className="text-muted">
                {' '}
                (<Moment at={display} />)
              </span>
            )}
            {note !== null && <Note text={note} />}
          </Fact>
        ))}
      </Facts>
    </div>
  </Card>
);

/** A note of one sentence, or a list of contracts. */
function Note({ text }: { text: string }) {
  const parts = text.split(/(?<=: 0x[0-9a-f]{40})\. ?/i).filter((part) => part !== '');
  if (parts.length === 1) return <p className="text-sm wrap-anywhere text-muted">{text}</p>;
  return (
    <ul className="text-sm text-muted">
      {parts.map((part) => (
        <li key={part} className="wrap-anywhere">
          {part}
        </li>
      ))}
    </ul>
  );
}

const TONES: Readonly<Record<HandoffCheck['verdict'] | ChainCheck['verdict'], Tone>> = {
  agrees: 'good',
  passes: 'good',
  differs: 'bad',
  blocks: 'bad',
  unknown: 'caution',
};

/** The evidence: every value that the page compared, and every answer of the wallet's own provider. */
export const ReviewChecks = ({
  checks,
  chainChecks,
}: {
  checks: readonly HandoffCheck[];
  chainChecks: readonly ChainCheck[];
}) => (
  <details className="rounded-xl border border-line bg-surface p-4">
    <summary className="cursor-pointer font-semibold">
      {checks.length} values that the page recomputed, and {chainChecks.length} facts from your wallet’s own provider
    </summary>
    {chainChecks.length > 0 && (
      <ul className="mt-3 grid gap-1 text-sm">
        {chainChecks.map(({ id, sentence, verdict }) => (
          <li key={id} className="flex flex-wrap items-center gap-2">
            <Badge tone={TONES[verdict]}>{verdict}</Badge>
            {sentence}
          </li>
        ))}
      </ul>
    )}
    <div role="region" aria-label="Recomputed values" tabIndex={0} className="mt-3 overflow-x-auto">
      <table className="w-full min-w-2xl text-left text-sm">
        <thead>
          <tr className="border-b border-line">
            {['Value', 'The service says', 'The page computed', 'Verdict'].map((heading) => (
              <th key={heading} scope="col" className="py-2 pr-4">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {checks.map(({ id, subject, claimed, computed, verdict }) => (
            <tr key={id} className="border-b border-line align-top">
              <th scope="row" className="py-2 pr-4 font-normal">
                {subject}
              </th>
              <td className="max-w-80 py-2 pr-4 break-all">
                <code>
                  <bdi>{clipped(claimed)}</bdi>
                </code>
              </td>
              <td className="max-w-80 py-2 pr-4 break-all">
                <code>
                  <bdi>{clipped(computed)}</bdi>
                </code>
              </td>
              <td className="py-2">
                <Badge tone={TONES[verdict]}>{verdict}</Badge>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
);

const SHOWN = 100;
const clipped = (text: string): string =>
  text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}… (${text.length} characters)`;
