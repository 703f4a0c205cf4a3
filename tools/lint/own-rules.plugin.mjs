// Rules of ours for oxlint.
const SWALLOWED = 'Do not swallow an error: say why it may be ignored, in code.';
const ASSERTED =
  'Do not assert the type of a row: define a statement with the schema of its rows in a .sql.ts file (docs/adr/0114-raw-sql-lives-beside-its-repository.md).';
const RAW = /^\$(query|execute)Raw(Unsafe)?$/;

/** `.catch(() => {})` hides an error from everybody. */
const swallowed = {
  create: (context) => ({
    CallExpression(node) {
      const { callee, arguments: given } = node;
      const [handler] = given;
      if (callee.type !== 'MemberExpression' || callee.property.name !== 'catch') return;
      if (handler?.body?.type === 'BlockStatement' && handler.body.body.length === 0)
        context.report({ node, message: SWALLOWED });
    },
  }),
};

/** `query<Row>(…)` and Prisma's raw queries return rows that nothing compares with their type. */
const asserted = {
  create: (context) => ({
    MemberExpression(node) {
      if (RAW.test(node.property.name ?? '')) context.report({ node, message: ASSERTED });
    },
    CallExpression(node) {
      const { callee, typeArguments } = node;
      if (callee.type === 'MemberExpression' && callee.property.name === 'query' && typeArguments != null)
        context.report({ node, message: ASSERTED });
    },
  }),
};

export default {
  meta: { name: 'launch' },
  rules: { 'no-swallowed-error': swallowed, 'no-asserted-row': asserted },
};
