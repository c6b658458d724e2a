import { Suspense } from "react";
import { useWorkflows } from "../../api/workflows.ts";
import { DropArea } from "../../ui/drop-area.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Loaded } from "../../ui/states.tsx";
import { FirstRun } from "./lazy-first-run.ts";
import { Library } from "./library.tsx";
import { PasteN8n } from "./lazy-paste-n8n.ts";
import { NewWorkflowButtons, useNewWorkflow } from "./new-workflow.tsx";
import "./workflows.css";
import { Allowed } from "../../ui/allowed.tsx";

export function WorkflowList() {
  const start = useNewWorkflow();
  return (
    <Screen title="Workflows" actions={<NewWorkflowButtons start={start} />}>
      <DropArea
        className="page drop-area"
        label="Your workflows"
        onFiles={([file]) => start.importFrom(file)}
      >
        <Loaded query={useWorkflows()}>
          {(list) =>
            list.length === 0 ? (
              <Suspense>
                <FirstRun start={start} />
              </Suspense>
            ) : (
              <>
                <Library />
                <Allowed to="createTemplate">
                  <p className="small muted">Drop a file that Baton or n8n exported here to import it.</p>
                </Allowed>
              </>
            )
          }
        </Loaded>
      </DropArea>
      <Suspense>
        <PasteN8n />
      </Suspense>
      {start.dialog}
    </Screen>
  );
}
