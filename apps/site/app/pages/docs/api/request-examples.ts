import type { ApiOperation, Json, Parameter } from './openapi-document.js';

/** Returns the one value that a parameter can have, or null. */
function onlyValue({ schema = {} }: Parameter): string | null {
  const values = (schema['enum'] ?? (schema['const'] === undefined ? [] : [schema['const']])) as readonly unknown[];
  return values.length === 1 ? String(values[0]) : null;
}

/** Returns the name of the shell's variable for a parameter: `launchId` is `LAUNCH_ID`. */
const variableOf = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();

const requiredOf = ({ parameters = [] }: ApiOperation, place: Parameter['in']): Parameter[] =>
  parameters.filter((one) => one.in === place && (one.required === true || place === 'path'));
export const needsKey = ({ security = [] }: ApiOperation): boolean => security.length > 0;

/** Returns a command that calls an operation. Values that the reader chooses are variables of the shell. */
export function curlExample(gatewayUrl: string, method: string, path: string, operation: ApiOperation): string {
  const filled = requiredOf(operation, 'path').reduce(
    (text, one) => text.replace(`{${one.name}}`, onlyValue(one) ?? `$${variableOf(one.name)}`),
    path,
  );
  const query = requiredOf(operation, 'query').map((one) => `${one.name}=${onlyValue(one) ?? `$${variableOf(one.name)}`}`);
  const url = `"${gatewayUrl}${filled}${query.length === 0 ? '' : `?${query.join('&')}`}"`;
  const headers = requiredOf(operation, 'header').map(
    (one) => `-H "${one.name}: ${onlyValue(one) ?? `$${variableOf(one.name)}`}"`,
  );
  const parts = [
    `curl -sS${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${url}`,
    ...(needsKey(operation) ? ['-H "Authorization: Bearer $API_KEY"'] : []),
    ...headers,
    ...(operation.requestBody === undefined
      ? []
      : ['-H "Content-Type: application/json"', '--data-binary @request.json']),
  ];
  return parts.join(' \\\n  ');
}

/** Returns a program that calls an operation with the SDK. */
export function sdkExample(gatewayUrl: string, operation: ApiOperation): string {
  const { operationId, requestBody } = operation;
  const groups = (['path', 'query', 'header'] as const).flatMap((place) => {
    const values = requiredOf(operation, place).map((one) => {
      const key = /^[A-Za-z]\w*$/.test(one.name) ? one.name : `'${one.name}'`;
      const only = onlyValue(one);
      const type = (one.schema as Json | undefined)?.['type'];
      return `${key}: ${only === null ? '…' : type === 'string' ? `'${only}'` : only}`;
    });
    return values.length === 0 ? [] : [`${place}: { ${values.join(', ')} }`];
  });
  const input = [...groups, ...(requestBody === undefined ? [] : ["body: new Uint8Array(readFileSync('request.json'))"])];
  const options = needsKey(operation) ? ', { apiKey: () => process.env.API_KEY }' : '';
  return [
    ...(requestBody === undefined ? [] : ["import { readFileSync } from 'node:fs';"]),
    `import { ApiClient, ${operationId} } from '@custom-launch/sdk/operations';`,
    '',
    `const api = new ApiClient('${gatewayUrl}'${options});`,
    input.length === 0
      ? `const answer = await api.call(${operationId}, {});`
      : `const answer = await api.call(${operationId}, {\n${input.map((one) => `  ${one},`).join('\n')}\n});`,
    'console.log(answer.status, answer.value);',
  ].join('\n');
}
