import { useWorkflows } from "../../api/workflows.ts";
import { SelectField } from "../../ui/field.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { useFilter } from "../../ui/use-filter.ts";
import { WorkflowsLink } from "../workflows/workflows-link.tsx";
import { EndpointSettings } from "./endpoint-settings.tsx";
import { EndpointTabs } from "./endpoint-tabs.tsx";

export function Endpoints() {
  const [wanted, setWanted] = useFilter("workflow");
  const workflows = useWorkflows();
  return (
    <Screen title="Endpoints">
      <div className="page">
        <EndpointTabs />
        <Loaded query={workflows}>
          {(list) => {
            if (list.length === 0)
              return (
                <Empty title="No workflow to publish yet" action={<WorkflowsLink />}>
                  Create a workflow first. Then publish it here as an HTTP endpoint that any program can call.
                </Empty>
              );
            const sorted = list.toSorted(
              (a, b) => Number(b.apiSettings.enabled) - Number(a.apiSettings.enabled),
            );
            const chosen = sorted.find(({ id }) => id === wanted) ?? sorted[0];
            return (
              <>
                <SelectField
                  label="Workflow"
                  value={chosen?.id ?? ""}
                  onChange={setWanted}
                  options={sorted.map(({ id, name, apiSettings }) => ({
                    value: id,
                    label: `${name}${apiSettings.enabled ? " · enabled" : ""}`,
                  }))}
                />
                {chosen !== undefined && <EndpointSettings key={chosen.id} workflow={chosen} />}
              </>
            );
          }}
        </Loaded>
      </div>
    </Screen>
  );
}
