import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { isOutage } from '../faults/outage.js';
import { execute, queryRows, RowShapeError, statement, type Statement } from './statement.js';

const COUNT = statement({
  name: 'launch.count',
  text: 'SELECT status, count(*) AS held FROM launch WHERE family = $1 GROUP BY status',
  row: z.strictObject({ status: z.enum(['open', 'ended']), held: z.string().transform(BigInt) }),
});

describe('A statement', () => {
  it('returns its rows as its schema parses them', () => {
    expect(COUNT.parseRows([{ status: 'open', held: '9007199254740993' }])).toEqual([
      { status: 'open', held: 9_007_199_254_740_993n },
    ]);
  });

  it.each([
    ['a value of another type', { status: 'open', held: 3 }, /^launch\.count returned .*: held: /],
    ['a value that this version does not know', { status: 'lost', held: '3' }, /^launch\.count returned .*: status: /],
    ['no such column', { status: 'open' }, /^launch\.count returned .*: held: /],
    ['one column more', { status: 'open', held: '3', lineage: 'a' }, /^launch\.count returned .*lineage/],
  ])('refuses a row with %s by a coded fault that names it', (_, row, message) => {
    const refused = expect.objectContaining({ code: 'ROW_SHAPE', statement: 'launch.count' });
    const parse = () => COUNT.parseRows([{ status: 'ended', held: '1' }, row]);
    expect(parse).toThrow(RowShapeError);
    expect(parse).toThrow(message);
    expect(parse).toThrow(refused as unknown as Error);
  });

  it('fails permanently when its rows have another shape, so that the call is not repeated', () => {
    let thrown: unknown;
    try {
      COUNT.parseRows([{}]);
    } catch (error) {
      thrown = error;
    }
    expect(isOutage(thrown)).toBe(false);
  });

  it('returns the rows of its schema, regardless of the type that its caller asserts', () => {
    const query = <Row>(_: Statement<Row>): void => undefined;
    query<{ status: 'open' | 'ended'; held: bigint }>(COUNT);
    // @ts-expect-error The schema parses `held` to a bigint.
    query<{ status: 'open' | 'ended'; held: number }>(COUNT);
    // @ts-expect-error Rows without a schema stay unknown.
    query<{ held: number }>(statement({ name: 'launch.touch', text: 'UPDATE launch SET updated_at = now()' }));
    expect(COUNT.isPrepared).toBe(false);
  });
});

describe('Prisma', () => {
  const asked: unknown[][] = [];
  const database = {
    $queryRawUnsafe: async (...given: unknown[]): Promise<unknown> => {
      asked.push(given);
      return [{ status: 'open', held: '2' }];
    },
    $executeRawUnsafe: async (...given: unknown[]) => asked.push(given),
  };

  it('runs a statement with its values in order and returns parsed rows', async () => {
    expect(await queryRows(database, COUNT, ['plan.v1'])).toEqual([{ status: 'open', held: 2n }]);
    expect(await execute(database, COUNT, ['plan.v1'])).toBe(2);
    expect(asked).toEqual([
      [COUNT.text, 'plan.v1'],
      [COUNT.text, 'plan.v1'],
    ]);
  });
});
