import { useState } from "react";
import { Link } from "wouter";
import { useApprovals } from "../../api/approvals.ts";
import { useWorkflowName } from "../../api/workflows.ts";
import { Ago } from "../../ui/ago.tsx";
import { Segments } from "../../ui/segments.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty } from "../../ui/states.tsx";
import { DecisionBox } from "./decision-box.tsx";
import "./approvals.css";

export function Approvals() {
  const [shown, setShown] = useState<"mine" | "all">("all");
  const approvals = useApprovals({ mine: shown === "mine" });
  const nameOf = useWorkflowName();
  return (
    <Screen title="Approvals">
      <div className="page stack">
        <div className="row">
          <Segments
            label="Show"
            value={shown}
            onChange={setShown}
            options={[
              { value: "all", label: "All" },
              { value: "mine", label: "Waiting for me" },
            ]}
          />
        </div>
        <RecordList
          list={approvals}
          empty={
            <Empty title={shown === "mine" ? "No approvals wait for you" : "No open approvals"}>
              Add a “Wait for approval” step to a workflow. Its runs pause there, for days if necessary, until
              someone decides here.
            </Empty>
          }
        >
          {(list) => (
            <div className="stack approval-list">
              {list.map((approval) => (
                <section key={`${approval.taskId}/${approval.stepId}`} className="stack tight">
                  <div className="row small">
                    <Link href={`/runs/${approval.taskId}`}>{nameOf(approval.workflowId)}</Link>
                    <span className="muted">
                      requested <Ago at={approval.requestedAt} />
                    </span>
                  </div>
                  <DecisionBox approval={approval} />
                </section>
              ))}
            </div>
          )}
        </RecordList>
      </div>
    </Screen>
  );
}
