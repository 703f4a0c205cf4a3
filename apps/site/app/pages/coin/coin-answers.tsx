import type { ShownChain } from '../../site/chains.js';
import { useSettings } from '../../site/site-data.js';
import { CopyButton } from '../../ui/copy.js';
import { Disclosure } from '../../ui/disclosure.js';
import { Card } from '../../ui/page.js';
import { Badge, type Tone } from '../../ui/status.js';
import { Hex } from '../../ui/values.js';
import type { Answer, Certainty } from './answer.js';
import type { Evidence } from './evidence.js';

const CERTAINTY: Readonly<Record<Certainty, readonly [Tone, string, string]>> = {
  proven: ['good', 'Proven', 'The evidence below shows it.'],
  stated: ['neutral', 'Stated, not proven', 'A rule of the service says it. No evidence here shows it for this coin.'],
  unknown: ['caution', 'Unknown', 'Nothing shows it.'],
};

/** The questions of a buyer with their answers. Each answer's evidence is in its place, closed at first. */
export const CoinAnswers = ({ answers, chainId }: { answers: readonly Answer[]; chainId: ShownChain }) => (
  <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
    {answers.map((answer) => (
      <AnswerCard key={answer.id} answer={answer} chainId={chainId} />
    ))}
  </div>
);

function AnswerCard({ answer, chainId }: { answer: Answer; chainId: ShownChain }) {
  const [tone, name, meaning] = CERTAINTY[answer.certainty];
  return (
    <Card className="min-w-0">
      <h3 className="text-lg font-semibold">{answer.question}</h3>
      <p className="mt-1.5">
        <Badge tone={tone} title={meaning}>
          {name}
        </Badge>
      </p>
      <p className="mt-2 break-words">{answer.answer}</p>
      {answer.evidence.length > 0 && (
        <div className="mt-3">
          <Disclosure
            summary={
              <>
                {answer.certainty === 'proven' ? 'Evidence' : 'What is known'}
                <span className="sr-only"> for: {answer.question}</span>
              </>
            }
          >
            <ul className="grid gap-3 text-sm">
              {answer.evidence.map((evidence, index) => (
                <li key={index}>
                  <EvidenceItem evidence={evidence} chainId={chainId} />
                </li>
              ))}
            </ul>
          </Disclosure>
        </div>
      )}
    </Card>
  );
}

function EvidenceItem({ evidence, chainId }: { evidence: Evidence; chainId: ShownChain }) {
  const { gatewayUrl } = useSettings();
  switch (evidence.is) {
    case 'document':
      return (
        <>
          <a href={`${gatewayUrl}${evidence.path}`} rel="noreferrer">
            {evidence.label}
          </a>
          {evidence.digest !== null && <Exact term="SHA-256" value={evidence.digest} />}
        </>
      );
    case 'rule':
      return <a href={evidence.href}>{evidence.label}</a>;
    case 'value':
      return <Exact term={evidence.label} value={evidence.value} />;
    case 'block':
      return (
        <>
          {evidence.label}: {evidence.number}{' '}
          <Hex value={evidence.hash} kind="block" chainId={evidence.onEthereum ? 1 : chainId} label="Block" />
        </>
      );
    case 'log':
      return (
        <>
          {evidence.label}: log {evidence.logIndex} of transaction{' '}
          <Hex value={evidence.transactionHash} kind="tx" chainId={chainId} label="Transaction" />
          {evidence.sha256 !== null && <Exact term="SHA-256 of the raw log" value={evidence.sha256} />}
        </>
      );
    case 'getter':
      return (
        <>
          {isCodeOf(evidence.name, evidence.to) ? 'Code' : <code>{evidence.name}</code>} at{' '}
          <Hex value={evidence.to} kind="address" chainId={chainId} label="Contract" />
          {evidence.answer !== null && <Exact term="Answer" value={evidence.answer} />}
          {evidence.data !== null && <Exact term="Call data" value={evidence.data} />}
          <Exact term="SHA-256 of the answer" value={evidence.answerSha256} />
        </>
      );
  }
}

/** The index names the code of an account by the account itself. */
const isCodeOf = (name: string, account: string): boolean => name.toLowerCase() === `${account.toLowerCase()}.code`;

const Exact = ({ term, value }: { term: string; value: string }) => (
  <span className="mt-0.5 block text-muted">
    {term}: <code className="break-all">{value}</code> <CopyButton value={value} label={term} />
  </span>
);
