import { data, useLoaderData, type LoaderFunctionArgs, type MetaFunction } from 'react-router';
import { useSettings } from '../../site/site-data.js';
import { CodeBlock } from '../../ui/copy.js';
import { PageHeader, Section } from '../../ui/page.js';
import { Empty, Unread } from '../../ui/status.js';
import { readDownloads } from './downloads.js';
import { verifyCommand } from './verify-command.js';

export const meta: MetaFunction = () => [
  { title: 'Downloads · Custom Launch' },
  { name: 'description', content: 'Programs and machine contracts with versions, digests and the command to verify them.' },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const groups = await readDownloads(context.api);
  return data({ groups }, { status: groups.every(({ read }) => read.is === 'unavailable') ? 503 : 200 });
}

export default function DownloadsPage() {
  const { groups } = useLoaderData<typeof loader>();
  const { gatewayUrl } = useSettings();
  return (
    <>
      <PageHeader title="Downloads">
        The service states each digest apart from the file. The command compares them; on macOS, use shasum -a 256 in place
        of sha256sum.
      </PageHeader>
      {groups.map(({ title, read }) => (
        <Section key={title} title={title}>
          {read.is !== 'value' ? (
            <Unread read={read} subject={title} />
          ) : read.value.length === 0 ? (
            <Empty title="This deployment publishes none." />
          ) : (
            <ul className="space-y-5">
              {read.value.map(({ name, path, version, contentSha256 }) => (
                <li key={path}>
                  <p className="mb-1 font-medium">
                    <a href={`${gatewayUrl}${path}`}>{name}</a>
                    {version !== null && <span className="text-sm text-muted"> {version}</span>}
                  </p>
                  <CodeBlock
                    code={verifyCommand(gatewayUrl, path, contentSha256)}
                    label={`the command for ${path} (${title})`}
                  />
                </li>
              ))}
            </ul>
          )}
        </Section>
      ))}
    </>
  );
}
