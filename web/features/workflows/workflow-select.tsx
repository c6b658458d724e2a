import { useWorkflows } from "../../api/workflows.ts";
import { SelectField } from "../../ui/field.tsx";

interface WorkflowSelectProps {
  value: string;
  onChange: (workflowId: string) => void;
  /** What stands for nothing chosen. */
  none: string;
  required?: boolean;
}

/** One of the person's workflows, by name. */
export function WorkflowSelect(props: WorkflowSelectProps) {
  const { data } = useWorkflows();
  return (
    <SelectField
      label="Workflow"
      {...props}
      hint={data?.length === 0 ? "You have no workflow yet. Make one first, under Workflows." : undefined}
      options={(data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
