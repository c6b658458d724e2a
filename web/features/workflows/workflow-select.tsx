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
  const workflows = useWorkflows().data ?? [];
  return (
    <SelectField
      label="Workflow"
      {...props}
      options={workflows.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
