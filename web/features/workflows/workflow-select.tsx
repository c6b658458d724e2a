import { useWorkflows } from "../../api/workflows.ts";
import { SelectField } from "../../ui/field.tsx";

interface WorkflowSelectProps {
  value: string;
  onChange: (workflowId: string) => void;
  /** The label of the empty option. */
  emptyOption: string;
  label?: string;
  hint?: string;
  /** The workflow that is not offered. */
  except?: string;
}

export function WorkflowSelect({ except, hint, ...props }: WorkflowSelectProps) {
  const { data } = useWorkflows();
  return (
    <SelectField
      label="Workflow"
      {...props}
      hint={data?.length === 0 ? "No workflows yet. Create one under Workflows first." : hint}
      options={(data ?? [])
        .filter(({ id }) => id !== except)
        .map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
