import { Link } from "wouter";

/** The next step on a screen that has nothing to show before there is a workflow. */
export function ToWorkflows() {
  return (
    <Link href="/workflows" className="btn go">
      Go to your workflows
    </Link>
  );
}
