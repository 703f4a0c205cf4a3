import { data, type LoaderFunctionArgs } from 'react-router';
import { openApiCache } from '../api/openapi-document.js';
import { operationsByCode } from '../api/operations.js';
import { errorCodes } from './error-codes.js';

/** Loads the catalogue of codes, with the operations of each as the service describes them. */
export async function loadErrors({ context, request }: LoaderFunctionArgs) {
  const q = new URL(request.url).searchParams.get('q')?.slice(0, 100) ?? '';
  const read = await openApiCache.read(context.api);
  const codes = errorCodes(read.is === 'value' ? operationsByCode(read.value) : new Map());
  return data({ codes, unread: read.is === 'value' ? null : read, q });
}
