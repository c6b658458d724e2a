import { Suspense } from "react";
import type { StatsRange } from "../../api/stats.ts";
import { useWorkflows } from "../../api/workflows.ts";
import { DropArea } from "../../ui/drop-area.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Loaded } from "../../ui/states.tsx";
import { useFilter } from "../../ui/use-filter.ts";
import { UnconfirmedEmail } from "../accounts/unconfirmed-email.tsx";
import { FirstRun } from "../workflows/lazy-first-run.ts";
import { Library } from "../workflows/library.tsx";
import { NewWorkflowButtons, useNewWorkflow } from "../workflows/new-workflow.tsx";
import { FailureGroups } from "./failure-groups.tsx";
import { Health } from "./health.tsx";
import { WaitingForYou } from "./waiting-for-you.tsx";
import "./home.css";

const RANGES = [
  { value: "24h", label: "24 hours" },
  { value: "7d", label: "7 days" },
  { value: "30d", label: "30 days" },
] as const;

/** How the workflows are doing, what waits for a person, and what failed. */
export function Home() {
  const [chosen, setRange] = useFilter("range");
  const range: StatsRange = RANGES.find(({ value }) => value === chosen)?.value ?? "24h";
  const start = useNewWorkflow();
  const workflows = useWorkflows();
  const isNew = workflows.data?.length === 0;
  return (
    <Screen
      title="Home"
      actions={
        <>
          {!isNew && <Segments label="Range" value={range} onChange={setRange} options={RANGES} />}
          <NewWorkflowButtons start={start} />
        </>
      }
    >
      <DropArea className="page drop-area" label="Home" onFiles={([file]) => start.importFrom(file)}>
        <UnconfirmedEmail />
        <Loaded query={workflows}>
          {(list) =>
            list.length === 0 ? (
              <Suspense>
                <FirstRun start={start} />
              </Suspense>
            ) : (
              <div className="home">
                <div className="home-main">
                  <Health range={range} />
                  <Library title="Workflows" />
                </div>
                <div className="home-side">
                  <WaitingForYou />
                  <FailureGroups range={range} />
                </div>
              </div>
            )
          }
        </Loaded>
      </DropArea>
      {start.dialog}
    </Screen>
  );
}
