import { Plus } from "lucide-react";
import { Suspense, useState } from "react";
import { Link } from "wouter";
import { useAgents } from "../../../api/agents.ts";
import { isDeletedAgent } from "../../../flow/deleted-agent.ts";
import { Allowed } from "../../../ui/allowed.tsx";
import { lazyComponent } from "../../../ui/lazy-component.ts";
import { FieldControl, type FieldInputProps } from "./field-input.tsx";
import { SettingField } from "./setting-field.tsx";

const AgentDialog = lazyComponent(() => import("../../agents/agent-dialog.tsx"), "AgentDialog");

/** The agent that a step calls: chosen, created here, or opened to change its instructions and tools. */
export function AgentField(props: FieldInputProps) {
  const { field, value, onChange, error, suggestions = [] } = props;
  const [isCreating, setCreating] = useState(false);
  const isDeleted = isDeletedAgent(value, useAgents().data);
  const isKnown = suggestions.some((option) => option.value === value);
  return (
    <>
      <SettingField label={field.label} hint={field.hint} error={error}>
        {(ids) => (
          <>
            <div className="row">
              <div className="grow">
                <FieldControl {...props} ids={ids} />
              </div>
              <Allowed to="createAgent">
                <button type="button" className="btn" onClick={() => setCreating(true)}>
                  <Plus size={14} aria-hidden /> New agent
                </button>
              </Allowed>
            </div>
            {isDeleted && (
              <p className="small bad-ink" role="alert">
                The agent of this step was deleted. Choose another one, or create a new one.
              </p>
            )}
            {isKnown && (
              <Link href={`/agents/${String(value)}`} className="xs">
                Edit instructions and tools
              </Link>
            )}
          </>
        )}
      </SettingField>
      {isCreating && (
        <Suspense>
          <AgentDialog
            onCreated={({ id }) => {
              setCreating(false);
              onChange(id);
            }}
            onClose={() => setCreating(false)}
          />
        </Suspense>
      )}
    </>
  );
}
