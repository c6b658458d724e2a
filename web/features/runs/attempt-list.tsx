import type { PagedList } from "../../api/pages.ts";
import type { StepAttempt } from "../../api/tasks.ts";
import { JsonView } from "../../ui/json-view.tsx";
import { ShowMore } from "../../ui/record-list.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { clockTime, moment } from "../../ui/time.ts";
import { tokenText } from "../../ui/tokens.ts";

/** Every try of a step, also those before a rerun; a single one says no more than the result does. */
export function AttemptList({ list }: { list: PagedList<StepAttempt> }) {
  const attempts = list.data ?? [];
  if (attempts.length < 2) return null;
  return (
    <section className="stack tight" aria-label="Tries">
      <b className="small">Tries</b>
      {attempts.map((attempt) => (
        <Attempt key={`${attempt.completedAt}/${attempt.attempt}`} attempt={attempt} />
      ))}
      <ShowMore list={list} />
    </section>
  );
}

function Attempt({ attempt }: { attempt: StepAttempt }) {
  const tokens = tokenText(attempt.usage);
  return (
    <details className="card flat fold attempt">
      <summary className="small">
        <b>Try {attempt.attempt}</b>
        <StatusChip status={attempt.status} />
        <span className="muted grow ellipsis">{attempt.error?.message ?? ""}</span>
        <time className="muted" dateTime={attempt.completedAt} title={moment(attempt.completedAt)}>
          {clockTime(attempt.completedAt)}
        </time>
      </summary>
      <div className="stack tight">
        {attempt.error !== null && (
          <p className="small">
            <b>{attempt.error.code}</b>: {attempt.error.message}
          </p>
        )}
        {attempt.retryAt !== null && (
          <p className="small muted">The next try was due at {clockTime(attempt.retryAt)}.</p>
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
