import { useState } from "react";
import { LIMITS, type WorkspaceLimitName } from "../../../contract/limits.ts";
import {
  type AdminWorkspace,
  changeWorkspaceRules,
  useAdministration,
  useWorkspaceRules,
  type WorkspaceRules,
} from "../../api/administration.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Loaded } from "../../ui/states.tsx";

const EDITABLE = LIMITS.flatMap((limit) => ("perWorkspace" in limit ? [limit] : []));
const MAX_DAYS = 36_500;

/** Limits and retention that differ from those of the instance. */
export function WorkspaceRulesDialog(props: { workspace: AdminWorkspace; onClose: () => void }) {
  const rules = useWorkspaceRules(props.workspace.id);
  if (rules.data !== undefined) return <RulesForm {...props} rules={rules.data} />;
  return (
    <Dialog title={`Limits of ${props.workspace.name}`} onClose={props.onClose}>
      <Loaded query={rules}>{() => null}</Loaded>
    </Dialog>
  );
}

interface RulesFormProps {
  workspace: AdminWorkspace;
  rules: WorkspaceRules;
  onClose: () => void;
}

function RulesForm({ workspace, rules, onClose }: RulesFormProps) {
  const [days, setDays] = useState(rules.retentionDays);
  const [values, setValues] = useState<Partial<Record<WorkspaceLimitName, number | null>>>(
    Object.fromEntries(rules.limits.map(({ name, value }) => [name, value])),
  );
  const save = useAdministration(
    () =>
      changeWorkspaceRules(workspace.id, {
        retentionDays: days,
        limits: EDITABLE.flatMap(({ name }) => {
          const value = values[name] ?? null;
          return value === null ? [] : [{ name, value }];
        }),
      }),
    onClose,
  );
  return (
    <FormDialog title={`Limits of ${workspace.name}`} onClose={onClose} action={save} submit="Save">
      <p className="small muted">Empty fields have the values of the instance. 0 turns a limit off.</p>
      <NumberField
        label="Keep ended runs for days"
        value={days}
        onChange={setDays}
        min={0}
        max={MAX_DAYS}
        step={1}
        hint="0: for ever"
      />
      <div className="admin-limits">
        {EDITABLE.map(({ name, description }) => (
          <NumberField
            key={name}
            label={description}
            value={values[name] ?? null}
            onChange={(value) => setValues({ ...values, [name]: value })}
            min={0}
            step={1}
          />
        ))}
      </div>
    </FormDialog>
  );
}
