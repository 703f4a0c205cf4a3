import { Link } from 'react-router';
import { useNow } from '../../site/site-data.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { CodeBlock } from '../../ui/copy.js';
import { Card } from '../../ui/page.js';
import { Badge, Empty } from '../../ui/status.js';
import { Moment } from '../../ui/values.js';
import { KIND_NAMES, type LaunchFacts } from './launch-facts.js';
import { nextStepOf } from './next-step.js';
import { statusWords } from './status-words.js';

const FIRST_LAUNCH = `launch init --wallet 0x… --name Atlas --symbol ATLAS --image logo.png --public-origin https://atlas.example --output launch.json
launch pack --config launch.json --output request.json
launch submit request.json --config launch.json`;

/** The launches of an owner, newest first. */
export function LaunchesView({
  launches,
  onMore,
  isReading,
}: {
  launches: readonly LaunchFacts[];
  /** Reads older launches; null at the end of the list. */
  onMore: (() => void) | null;
  isReading: boolean;
}) {
  return (
    <>
      <ul className="grid gap-3" aria-label="Your launches, newest first">
        {launches.map((launch) => (
          <li key={launch.id}>
            <LaunchRow launch={launch} />
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        {onMore === null ? (
          <p className="text-sm text-muted">These are all launches of this account.</p>
        ) : (
          <Button onClick={onMore} isBusy={isReading}>
            Show older launches
          </Button>
        )}
        <span role="status" className="sr-only">
          {launches.length} launches are shown.
        </span>
      </div>
    </>
  );
}

function LaunchRow({ launch }: { launch: LaunchFacts }) {
  const now = useNow();
  const { name, tone } = statusWords(launch);
  const { sentence, action } = nextStepOf(launch, now);
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-semibold">
          <Link to={`/launches/${launch.id}`}>
            {KIND_NAMES[launch.kind]} <code className="text-sm">{launch.id.slice(0, 8)}</code>
          </Link>
        </h2>
        <Badge tone={tone} title={`The service's name of the status: ${launch.status}`}>
          {name}
        </Badge>
        <span className="text-sm text-muted">
          created <Moment at={launch.createdAt} />
        </span>
      </div>
      <p className="mt-1 max-w-[75ch] text-sm">{sentence}</p>
      {action?.is === 'page' && (
        <div className="mt-3">
          <ButtonLink to={action.to} look="primary">
            {action.label}
          </ButtonLink>
        </div>
      )}
      {launch.findings.length > 0 && (
        <div className="mt-3">
          <ButtonLink to={`/launches/${launch.id}#findings`}>
            {launch.findings.length === 1 ? 'Read the finding' : `Read the ${launch.findings.length} findings`}
          </ButtonLink>
        </div>
      )}
    </Card>
  );
}

/** The first launch of an account begins on the command line. */
export const NoLaunches = () => (
  <Empty title="This account has no launch yet.">
    <p className="mx-auto max-w-[65ch]">
      A launch begins on your computer: the command line packs your sources, and you send the file to the service.
      Afterwards it appears here, and you sign it on this site.
    </p>
    <div className="mx-auto mt-4 max-w-3xl text-left text-ink">
      <CodeBlock code={FIRST_LAUNCH} label="the commands of a first launch" />
    </div>
    <p className="mt-3">
      <Link to="/docs/guides/custom-launch">The guide explains each command</Link>, and{' '}
      <Link to="/docs/downloads">the downloads have the program</Link>. A launch that you created with another key or
      wallet is not listed: sign in with that wallet.
    </p>
  </Empty>
);
