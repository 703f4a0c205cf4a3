import { Link } from 'react-router';
import { CodeBlock } from '../../../ui/copy.js';
import { PageHeader, Section } from '../../../ui/page.js';
import { Badge } from '../../../ui/status.js';
import type { ShownBody, ShownOperation } from './operations.js';
import type { SchemaNode } from './schema-tree.js';

/** The page of an operation. */
export function OperationView({ operation }: { operation: ShownOperation }) {
  const { id, method, path, summary, description, scopes, parameters, bodies, answers, errors, curl, sdk } = operation;
  return (
    <article>
      <PageHeader title={summary}>
        <code>{id}</code> · {operation.product}
      </PageHeader>
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone="accent">{method}</Badge>
        <code className="min-w-0 [overflow-wrap:anywhere]">{path}</code>
      </p>
      <p className="mt-3 text-sm text-muted">
        {operation.needsKey ? 'Send a key in the header Authorization.' : 'No key is required.'}
        {scopes.length > 0 && <> Scopes: {scopes.join(', ')}.</>}
      </p>
      {description !== '' && (
        <p className="mt-3 max-w-[65ch] whitespace-pre-line">
          <Words text={description} />
        </p>
      )}
      <Section id="examples" title="Call it">
        <h3 className="mb-2 font-semibold">curl</h3>
        <CodeBlock code={curl} label="the curl command" />
        <h3 className="mt-4 mb-2 font-semibold">SDK</h3>
        <CodeBlock code={sdk} label="the SDK call" />
      </Section>
      {parameters.length > 0 && (
        <Section id="parameters" title="Parameters">
          <ul className="space-y-3">
            {parameters.map(({ name, in: place, schema }) => (
              <li key={`${place} ${name}`}>
                <Node node={schema} depth={1} place={place} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {bodies.length > 0 && (
        <Section id="request" title="Request body">
          {bodies.map((body) => (
            <Body key={body.mediaType} body={body} name="request" />
          ))}
        </Section>
      )}
      <Section id="responses" title="Responses">
        {answers.map((answer) => (
          <div key={answer.status} className="mb-6">
            <h3 className="font-semibold">{answer.status}</h3>
            <p className="max-w-[65ch] text-sm">
              <Words text={answer.description} />
            </p>
            {answer.bodies.map((body) => (
              <Body key={body.mediaType} body={{ ...body, description: '' }} name={`response ${answer.status}`} />
            ))}
          </div>
        ))}
      </Section>
      {errors.length > 0 && (
        <Section id="errors" title="Errors">
          <div className="table-scroll" role="region" aria-label="Errors, as a table" tabIndex={0}>
            <table className="w-full min-w-lg text-left text-sm">
              <thead>
                <tr>
                  <th scope="col" className="p-2">
                    HTTP
                  </th>
                  <th scope="col" className="p-2">
                    Code
                  </th>
                  <th scope="col" className="p-2">
                    Meaning
                  </th>
                </tr>
              </thead>
              <tbody>
                {errors.map(({ status, code, meaning }) => (
                  <tr key={`${status} ${code}`} className="border-t border-line align-top">
                    <td className="p-2">{status}</td>
                    <td className="p-2">
                      <Link to={`/docs/errors#${code}`}>{code}</Link>
                    </td>
                    <td className="p-2">
                      <Words text={meaning} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Section>
      )}
    </article>
  );
}

/** Shows words between backticks as code. */
const Words = ({ text }: { text: string }) =>
  text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>));

function Body({ body: { mediaType, description, schema, example }, name }: { body: ShownBody; name: string }) {
  return (
    <div className="mt-2">
      <p className="text-sm text-muted">
        <code>{mediaType}</code> <Words text={description} />
      </p>
      {schema !== null && schema.members.length > 0 && (
        <ul className="mt-2 space-y-3 rounded-xl border border-line bg-surface p-3">
          {schema.members.map((node, at) => (
            <li key={`${node.name} ${at}`}>
              <Node node={node} depth={1} />
            </li>
          ))}
        </ul>
      )}
      {example !== null && (
        <details className="mt-2">
          <summary className="min-h-6 cursor-pointer text-sm">Example</summary>
          <CodeBlock code={example} label={`the example of the ${name}`} />
        </details>
      )}
    </div>
  );
}

function Node({ node, depth, place }: { node: SchemaNode; depth: number; place?: string }) {
  const { name, type, isRequired, description, rules, members } = node;
  return (
    <>
      <p className="text-sm">
        <code className="font-semibold [overflow-wrap:anywhere]">{name}</code>{' '}
        <span className="text-muted">
          {type}
          {place !== undefined && `, ${place}`}
          {isRequired ? '' : ', optional'}
        </span>
      </p>
      {description !== '' && (
        <p className="max-w-[60ch] text-sm">
          <Words text={description} />
        </p>
      )}
      {rules.length > 0 && <p className="text-xs text-muted [overflow-wrap:anywhere]">{rules.join(' · ')}</p>}
      {members.length > 0 && (
        <details className="mt-1">
          <summary className="min-h-6 cursor-pointer text-sm text-accent">
            {members.length} {members.length === 1 ? 'member' : 'members'} of {name}
          </summary>
          <ul className={`mt-2 space-y-3 border-l border-line ${depth < 4 ? 'pl-3' : 'pl-1'}`}>
            {members.map((one, at) => (
              <li key={`${one.name} ${at}`}>
                <Node node={one} depth={depth + 1} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
