import { isReasonCode, REASON_CATALOGUE } from '@launch/contracts/errors';

/** Reasons of the service in plain words, each with its remedy and its code. */
export function Reasons({ codes, none }: { codes: readonly string[]; none: string }) {
  if (codes.length === 0) return <p className="text-sm text-muted">{none}</p>;
  return (
    <ul className="grid gap-2">
      {codes.map((code) => (
        <li key={code}>
          <Reason code={code} />
        </li>
      ))}
    </ul>
  );
}

function Reason({ code }: { code: string }) {
  if (!isReasonCode(code))
    return (
      <>
        The service gives a reason that this site does not know: <code>{code}</code>
      </>
    );
  const [, message, remedy] = REASON_CATALOGUE[code];
  return (
    <>
      {message} <span className="text-muted">{remedy}</span> <code className="text-xs text-muted">{code}</code>
    </>
  );
}
