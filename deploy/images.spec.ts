import { describe, expect, it } from '@jest/globals';
import { compose, dockerfile, nodeImage, OURS, read, type ComposeService } from './compose.fixture.js';

describe('The images', () => {
  /** Instructions of a stage, without the comments. */
  const stages = new Map(
    dockerfile
      .split(/^FROM /m)
      .slice(1)
      .map((text) => {
        const [from = '', ...lines] = text.split('\n');
        const [base = '', name = ''] = from.split(' AS ');
        return [name, { base, lines: lines.filter((line) => line !== '' && !line.startsWith('#')) }];
      }),
  );
  /** A stage's instructions after those of the stages that it is built on. */
  const linesOf = (name: string): readonly string[] => {
    const { base, lines } = stages.get(name) ?? { base: '', lines: [] };
    return [...(stages.has(base) ? linesOf(base) : []), ...lines];
  };

  it('are built on the Node of the repository, pinned by digest and the only base image', () => {
    const { node } = (JSON.parse(read('package.json')) as { devDependencies: { node: string } }).devDependencies;
    expect(nodeImage).toMatch(new RegExp(`^node:${node.replaceAll('.', '\\.')}-bookworm-slim@sha256:[0-9a-f]{64}$`));
    for (const { base } of stages.values()) expect(['${NODE_IMAGE}', 'scratch', ...stages.keys()]).toContain(base);
    expect(dockerfile).not.toMatch(/^(ADD|ARG \w*(SECRET|PASSWORD|TOKEN|KEY)|ENV .*(SECRET|PASSWORD|TOKEN|KEY|DATABASE_URL))/m);
  });

  it.each([...OURS, 'migrate'])('have no shell in %s, start its program as an ordinary user, and run nothing at their build', (name) => {
    const lines = linesOf(name);
    expect(stages.get('base')?.base).toBe('scratch');
    expect(lines.filter((line) => /^(RUN|SHELL|ENTRYPOINT|VOLUME|ADD) /.test(line))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('USER '))).toEqual(['USER 65532:65532']);
    const copies = lines.filter((line) => line.startsWith('COPY '));
    const product = name === 'migrate' ? ['--from=migrations /migrations/${DATABASE}/'] : [`--from=packages /packages/${name}/`, `--from=build /programs/${name}/`];
    expect(copies).toEqual(['COPY --from=system /system/ /', ...product.map((from) => `COPY ${from} /`)]);
    const program = name === 'site' ? 'apps/site/dist/server/index.js' : `apps/${name}/dist/main.js`;
    const command = name === 'migrate' ? '["node", "deploy.cjs", "migrations"]' : `["node", "${program}"]`;
    expect(lines.filter((line) => line.startsWith('CMD '))).toEqual([`CMD ${command}`]);
  });

  it('give the collection of blobs no health check, because it runs once and ends', () => {
    expect(linesOf('blob-collector').filter((line) => /^(HEALTHCHECK|EXPOSE) /.test(line))).toEqual([]);
  });

  it.each(OURS.filter((name) => name !== 'blob-collector'))('give %s a health check, on the port that it exposes and that Compose sets', (name) => {
    const lines = linesOf(name);
    expect(lines.filter((line) => line.startsWith('HEALTHCHECK '))).toEqual([expect.stringContaining('CMD ["node", "/healthcheck.mjs"]')]);
    const port = /^EXPOSE (\d+)/m.exec(lines.join('\n'))?.[1];
    const { environment } = compose.services[name] as ComposeService;
    expect(environment?.['METRICS_PORT'] ?? environment?.['PORT']).toBe(port);
    expect(lines.join('\n')).toMatch(new RegExp(`^ENV (METRICS_)?PORT=${port}\\b`, 'm'));
  });

  it('receive no secret during the build', () => {
    const ignored = read('.dockerignore').split('\n');
    for (const file of ['deploy/secrets', 'deploy/.env', 'deploy/context.json', 'deploy/previous-contexts', '.git', '**/node_modules']) expect(ignored).toContain(file);
    for (const { file } of [...Object.values(compose.secrets), ...Object.values(compose.configs)]) {
      expect(ignored.some((entry) => file === `./${entry}` || file.startsWith(`./${entry}/`))).toBe(true);
    }
  });
});
