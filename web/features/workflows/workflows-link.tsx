import { Link } from "wouter";

/** The action on an empty screen that needs a workflow first. */
export function WorkflowsLink() {
  return (
    <Link href="/workflows" className="btn go">
      Go to workflows
    </Link>
  );
}
