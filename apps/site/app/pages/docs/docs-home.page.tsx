import { Link, type MetaFunction } from 'react-router';
import { useSettings } from '../../site/site-data.js';
import { CodeBlock } from '../../ui/copy.js';
import { Card, PageHeader } from '../../ui/page.js';
import { AUDIENCES } from './audiences.js';

export const meta: MetaFunction = () => [
  { title: 'Developers · Custom Launch' },
  {
    name: 'description',
    content: 'Launch a token, contribute a module, index coins, verify a launch or operate the service: guides, API reference and programs.',
  },
];

export default function DocsHomePage() {
  const { gatewayUrl } = useSettings();
  return (
    <>
      <PageHeader title="Developers">Choose what you want to do. Each path begins with its first command.</PageHeader>
      <CodeBlock code={`export SERVICE_API_BASE_URL=${gatewayUrl}`} label="the address of this service" />
      <div className="mt-6 grid grid-cols-1 gap-4">
        {AUDIENCES.map(({ title, text, command, links }) => (
          <Card key={title}>
            <h2 className="text-lg font-semibold">{title}</h2>
            <p className="mt-1 max-w-[65ch]">{text}</p>
            {command !== null && (
              <div className="mt-3">
                <CodeBlock code={command} label={`the first command: ${title}`} />
              </div>
            )}
            <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1">
              {links.map(([to, name]) => (
                <li key={to}>
                  <Link to={to} className="inline-block py-1">
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </Card>
        ))}
      </div>
    </>
  );
}
