import type { PagedList } from "../../api/pages.ts";
import type { StepAttempt } from "../../api/tasks.ts";
import { errorText } from "../../flow/error-text.ts";
import { JsonView } from "../../ui/json-view.tsx";
import { ShowMore } from "../../ui/record-list.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { clockTime, dateTime } from "../../ui/time.ts";
import { formatSpent } from "../../ui/tokens.ts";

/** All attempts of a step, newest first, including those before a rerun. */
export function AttemptList({ list, type }: { list: PagedList<StepAttempt>; type: string }) {
  const attempts = list.data ?? [];
  return (
    <section className="stack tight" aria-label="Attempts">
      {attempts.map((attempt) => (
        <Attempt key={`${attempt.completedAt}/${attempt.attempt}`} attempt={attempt} type={type} />
      ))}
      <ShowMore list={list} />
    </section>
  );
}

function Attempt({ attempt, type }: { attempt: StepAttempt; type: string }) {
  const error = attempt.error === null ? "" : errorText(attempt.error.message, type);
  const tokens = formatSpent(attempt.usage, attempt.cost);
  return (
    <details className="card flat fold attempt">
      <summary className="small">
        <b>Attempt {attempt.attempt}</b>
        <StatusChip status={attempt.status} />
        <span className="muted grow ellipsis">{error}</span>
        <time className="muted" dateTime={attempt.completedAt} title={dateTime(attempt.completedAt)}>
          {clockTime(attempt.completedAt)}
        </time>
      </summary>
      <div className="stack tight">
        {attempt.error !== null && (
          <p className="small">
            {error} <code className="xs muted">{attempt.error.code}</code>
          </p>
        )}
        {attempt.retryAt !== null && (
          <p className="small muted">Next attempt scheduled for {clockTime(attempt.retryAt)}.</p>
        )}
        {tokens !== undefined && <p className="small muted">{tokens}</p>}
        {attempt.status === "completed" && (
          <>
            <b className="xs">Output</b>
            <JsonView value={attempt.output} />
          </>
        )}
        <b className="xs">Input</b>
        <JsonView value={attempt.input} />
      </div>
    </details>
  );
}
