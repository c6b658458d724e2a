import { useSearchParams } from "wouter";
import { useWorkflows } from "../../api/workflows.ts";
import { Field } from "../../ui/field.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { EndpointSettings } from "./endpoint-settings.tsx";
import { EndpointTabs } from "./endpoint-tabs.tsx";

/** A workflow as an address that anybody with a key can call. */
export function Endpoints() {
  const [search, setSearch] = useSearchParams();
  const workflows = useWorkflows();
  const wanted = search.get("workflow");
  return (
    <Screen title="Endpoints">
      <div className="page">
        <EndpointTabs />
        <Loaded query={workflows}>
          {(list) => {
            if (list.length === 0)
              return (
                <Empty title="No workflow to publish yet">
                  Make a workflow first. Then give it an address here, and any program can call it.
                </Empty>
              );
            const sorted = list.toSorted(
              (a, b) => Number(b.apiSettings.enabled) - Number(a.apiSettings.enabled),
            );
            const chosen = sorted.find(({ id }) => id === wanted) ?? sorted[0];
            return (
              <>
                <Field label="Workflow">
                  {(ids) => (
                    <select
                      className="in"
                      {...ids}
                      value={chosen?.id}
                      onChange={(event) => setSearch({ workflow: event.target.value }, { replace: true })}
                    >
                      {sorted.map(({ id, name, apiSettings }) => (
                        <option key={id} value={id}>
                          {name}
                          {apiSettings.enabled ? " · on" : ""}
                        </option>
                      ))}
                    </select>
                  )}
                </Field>
                {chosen !== undefined && <EndpointSettings key={chosen.id} workflow={chosen} />}
              </>
            );
          }}
        </Loaded>
      </div>
    </Screen>
  );
}
