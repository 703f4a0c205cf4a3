import type { ReactNode } from 'react';
import type { OwnerFailure } from '../site/owner-read.js';
import { Button } from './button.js';
import { Empty, Notice } from './status.js';
import { Moment } from './values.js';

interface FailureProps {
  readonly failure: OwnerFailure;
  /** The thing that was read, such as "the launch". */
  readonly subject: string;
  /** When the page read the value that it still shows; null without one. */
  readonly readAt: number | null;
  readonly onRetry?: () => void;
  /** What the owner does where the service has no such thing. */
  readonly absent: ReactNode;
}

/** Says why the newest read of an owner's page failed, and how old the value is that the page still shows. */
export function OwnerReadFailure({ failure, subject, readAt, onRetry, absent }: FailureProps) {
  if (failure.is === 'absent')
    return <Empty title={`The service does not have ${subject} for this account.`}>{absent}</Empty>;
  return (
    <Notice tone={readAt === null ? 'bad' : 'caution'} title={titleOf(failure, subject)}>
      <p>{remedyOf(failure)}</p>
      {readAt !== null && (
        <p className="mt-1">
          The page shows what it last read <Moment at={new Date(readAt).toISOString()} />.
        </p>
      )}
      <p className="mt-1 text-muted">
        Code <code>{failure.code}</code>
        {failure.requestId !== null && (
          <>
            , request <code>{failure.requestId}</code>
          </>
        )}
      </p>
      {onRetry !== undefined && failure.is !== 'limited' && (
        <div className="mt-3">
          <Button onClick={onRetry}>Read again</Button>
        </div>
      )}
    </Notice>
  );
}

function titleOf({ is }: OwnerFailure, subject: string): string {
  switch (is) {
    case 'denied':
      return `This sign-in may not read ${subject}.`;
    case 'limited':
      return 'The service asks for a pause.';
    default:
      return `The site could not read ${subject} from the service.`;
  }
}

function remedyOf({ is, message, retryAfterSeconds }: OwnerFailure): string {
  const next =
    retryAfterSeconds === null
      ? 'The page tries again by itself.'
      : `The next attempt is in ${retryAfterSeconds} seconds.`;
  switch (is) {
    case 'denied':
      return `The service said: ${message} Sign out above, and sign in with the account that owns it.`;
    case 'limited':
      return `This account has read too often. ${next}`;
    case 'down':
      return `The service does not answer now. Your launches and modules are not affected. ${next}`;
    default:
      return `The service said: ${message}`;
  }
}
