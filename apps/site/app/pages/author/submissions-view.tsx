import type { components } from '@launch/sdk/operations';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useSettings } from '../../site/site-data.js';
import { CodeBlock } from '../../ui/copy.js';
import { Card } from '../../ui/page.js';
import { Empty } from '../../ui/status.js';
import { Untrusted } from '../../ui/untrusted.js';
import { Moment } from '../../ui/values.js';

export type Receipt = components['schemas']['ModuleReceipt'];

/** The submissions of an author, newest first. @param reviewOf shows the review of a submission */
export const SubmissionsView = ({
  receipts,
  reviewOf,
}: {
  receipts: readonly Receipt[];
  reviewOf: (submissionId: string) => ReactNode;
}) => (
  <ul className="grid gap-3" aria-label="Your submissions, newest first">
    {receipts.map(({ submissionId, name, version, family, receivedAt, supersedes }) => (
      <li key={submissionId}>
        <Card>
          <h2 className="font-semibold">
            <Link to={`/author/${submissionId}`}>
              <Untrusted text={name} absent="no name" short /> <Untrusted text={version} absent="no version" short />
            </Link>
          </h2>
          <p className="mt-1 text-sm text-muted">
            Family <Untrusted text={family} absent="none" short />, received <Moment at={receivedAt} />
            {supersedes !== null && ', a new version of an earlier submission'}
          </p>
          {reviewOf(submissionId)}
        </Card>
      </li>
    ))}
  </ul>
);

/** The first submission of an author begins on the command line. */
export function NoSubmissions() {
  const { gatewayUrl } = useSettings();
  return (
    <Empty title="This account has submitted no module yet.">
      <p className="mx-auto max-w-[65ch]">
        A module begins on your computer: the command line pins your sources and sends them to the review.
      </p>
      <div className="mx-auto mt-4 max-w-3xl text-left text-ink">
        <CodeBlock label="the commands of a first submission" code={firstSubmission(gatewayUrl)} />
      </div>
      <p className="mt-3">
        <Link to="/docs/guides/module-contribution">The guide explains each command.</Link>
      </p>
    </Empty>
  );
}

const firstSubmission = (gatewayUrl: string): string =>
  [
    'node module-cli.mjs pin-module-sources --root . --package draft.json --out module.json',
    'node module-cli.mjs prepare-module-submission --root . --package module.json --out request.json',
    `node module-cli.mjs submit-module --root . --request request.json --api-origin ${gatewayUrl} --idempotency-key NEW_KEY`,
  ].join('\n');
