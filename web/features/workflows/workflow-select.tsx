import { useWorkflows } from "../../api/workflows.ts";
import { SelectField } from "../../ui/field.tsx";

interface WorkflowSelectProps {
  value: string;
  onChange: (workflowId: string) => void;
  /** The label of the empty option. */
  emptyOption: string;
  required?: boolean;
}

export function WorkflowSelect(props: WorkflowSelectProps) {
  const { data } = useWorkflows();
  return (
    <SelectField
      label="Workflow"
      {...props}
      hint={data?.length === 0 ? "No workflows yet. Create one under Workflows first." : undefined}
      options={(data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
