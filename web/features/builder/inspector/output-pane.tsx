import { ClipboardPaste, Pin } from "lucide-react";
import { useApprovals } from "../../../api/approvals.ts";
import { JsonView } from "../../../ui/json-view.tsx";
import { StatusChip } from "../../../ui/status.tsx";
import { DecisionBox } from "../../approvals/decision-box.tsx";
import { OutputView } from "../../output/output-view.tsx";
import type { Pinning } from "../run/use-pins.ts";
import { ItemPager } from "./item-pager.tsx";
import { PinnedOutput } from "./pinned-output.tsx";
import type { StepData } from "./use-step-data.ts";

/** What the step returned in its last run, or the sample data that replaces it. */
export function OutputPane({ data, pinning }: { data: StepData; pinning: Pinning }) {
  const { step, result, live, item, runId } = data;
  const isPinned = pinning.pins.has(step.stepId);
  const canPin = data.loops.length === 0;
  const hasOutput = canPin && result?.status === "completed" && (live === undefined || live.endedAt !== null);
  if (isPinned)
    return (
      <>
        <PinnedOutput key={step.stepId} stepId={step.stepId} pinning={pinning} />
        <LastResult data={data} pinned={pinning.pins.get(step.stepId)} />
      </>
    );
  return (
    <div className="output-pane">
      {(item !== undefined || hasOutput) && (
        <div className="row">
          {item !== undefined && <ItemPager item={item} />}
          <span className="grow" />
          {hasOutput && (
            <button
              type="button"
              className="btn ghost tiny"
              title="Tests use this output instead of running the step"
              onClick={() => pinning.pin(step.stepId, result.output ?? {})}
            >
              <Pin size={13} /> Pin
            </button>
          )}
        </div>
      )}
      {live !== undefined && live.endedAt === null ? (
        <>
          <div className="row">
            <StatusChip status={live.status} />
          </div>
          {live.status === "waiting_approval" && runId !== undefined && (
            <OpenDecision runId={runId} path={data.path} />
          )}
        </>
      ) : result === undefined ? (
        <NoResult data={data} onPin={canPin ? (value) => pinning.pin(step.stepId, value) : undefined} />
      ) : (
        <OutputView
          key={data.path}
          result={result}
          taskId={data.taskId}
          path={data.path}
          connectionId={step["connection"]}
        />
      )}
    </div>
  );
}

interface NoResultProps {
  data: StepData;
  onPin: ((value: unknown) => void) | undefined;
}

/** Before the first run: the sample of the app, or a place to paste one. */
function NoResult({ data: { sample }, onPin }: NoResultProps) {
  if (sample !== undefined)
    return (
      <section className="stack tight" aria-label="Sample output">
        <div className="row">
          <span className="chip">Sample</span>
          <span className="small muted grow">
            What this step usually returns. Test it for the real answer.
          </span>
          {onPin !== undefined && (
            <button type="button" className="btn ghost tiny" onClick={() => onPin(sample)}>
              <Pin size={13} /> Pin
            </button>
          )}
        </div>
        <JsonView value={sample} />
      </section>
    );
  return (
    <div className="output-empty">
      <p>Run the workflow once, or paste sample data.</p>
      {onPin !== undefined && (
        <button type="button" className="btn tiny" onClick={() => onPin({})}>
          <ClipboardPaste size={13} /> Paste sample data
        </button>
      )}
    </div>
  );
}

/** The approval that the step waits for, decided in place. */
function OpenDecision({ runId, path }: { runId: string; path: string }) {
  const approval = useApprovals({ taskId: runId }).data?.find(({ stepId }) => stepId === path);
  return approval === undefined ? null : <DecisionBox approval={approval} />;
}

/** What a test of a pinned step returned, unless it is what was pinned. */
function LastResult({ data, pinned }: { data: StepData; pinned: unknown }) {
  const { result, live } = data;
  if (result === undefined || (live !== undefined && live.endedAt === null)) return null;
  if (result.status === "completed" && JSON.stringify(result.output ?? {}) === JSON.stringify(pinned))
    return null;
  return (
    <section className="stack tight" aria-label="Last result">
      <h3>Last result</h3>
      <OutputView
        key={data.path}
        result={result}
        taskId={data.taskId}
        path={data.path}
        connectionId={data.step["connection"]}
      />
    </section>
  );
}
