// A rule of ours for oxlint: `.catch(() => {})` hides an error from everybody.
const SAID = 'Do not swallow an error: say why it may be ignored, in code.';

const swallowed = {
  create: (context) => ({
    CallExpression(node) {
      const { callee, arguments: given } = node;
      const [handler] = given;
      if (callee.type !== 'MemberExpression' || callee.property.name !== 'catch') return;
      if (handler?.body?.type === 'BlockStatement' && handler.body.body.length === 0)
        context.report({ node, message: SAID });
    },
  }),
};

export default { meta: { name: 'launch' }, rules: { 'no-swallowed-error': swallowed } };
