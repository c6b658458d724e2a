import { Link, useSearchParams } from "wouter";
import { useTask } from "../../api/tasks.ts";
import type { StepResult, Task } from "../../api/types.ts";
import { deepEqual } from "../../flow/compare-graphs.ts";
import { Ago } from "../../ui/ago.tsx";
import { JsonView } from "../../ui/json-view.tsx";
import { StoredValue } from "../output/stored-value.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Loaded } from "../../ui/states.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { duration } from "../../ui/time.ts";
import "./runs.css";

/** Two runs side by side: input, step results and differences. */
export function RunCompare() {
  const [search] = useSearchParams();
  const left = useTask(search.get("a") ?? undefined);
  const right = useTask(search.get("b") ?? undefined);
  return (
    <Screen
      title="Compare runs"
      breadcrumbs={
        <>
          <Link href="/runs">Runs</Link> /
        </>
      }
    >
      <div className="page">
        <Loaded query={left}>
          {(first) => (
            <Loaded query={right}>{(second) => <Comparison first={first} second={second} />}</Loaded>
          )}
        </Loaded>
      </div>
    </Screen>
  );
}

function Comparison({ first, second }: { first: Task; second: Task }) {
  const [left, right] = [first, second].map(
    (task) => new Map(task.stepResults.map((result) => [result.stepId, result])),
  );
  const stepIds = [...new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])])];
  return (
    <>
      <div className="side-by-side">
        {[first, second].map((task, side) => (
          <div
            key={side}
            className={`card pad stack${deepEqual(first.input, second.input) ? "" : " differs"}`}
          >
            <div className="row">
              <Link href={`/runs/${task.id}`}>
                <Ago at={task.createdAt} />
              </Link>
              <StatusChip status={task.status} />
              <span className="muted small">v{task.workflowVersion}</span>
            </div>
            <b className="small">Input</b>
            <JsonView value={task.input} />
          </div>
        ))}
      </div>
      {stepIds.map((stepId) => {
        const [a, b] = [left?.get(stepId), right?.get(stepId)];
        const differs = a?.status !== b?.status || !deepEqual(a?.output, b?.output);
        return (
          <section key={stepId} className="stack tight">
            <h2 className="small">
              <code>{stepId}</code> {differs && <span className="chip wait">different</span>}
            </h2>
            <div className="side-by-side">
              <Side result={a} differs={differs} />
              <Side result={b} differs={differs} />
            </div>
          </section>
        );
      })}
    </>
  );
}

function Side({ result, differs }: { result: StepResult | undefined; differs: boolean }) {
  if (result === undefined) return <div className="card pad muted small">Did not run.</div>;
  return (
    <div className={`card pad stack tight${differs ? " differs" : ""}`}>
      <div className="row">
        <StatusChip status={result.status} />
        <span className="muted small">{duration(result.durationMs)}</span>
      </div>
      {result.error !== null && <p className="small">{result.error.message}</p>}
      <StoredValue value={result.output} />
    </div>
  );
}
