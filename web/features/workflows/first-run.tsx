import { Link } from "wouter";
import { useTemplates } from "../../api/templates.ts";
import { Loaded } from "../../ui/states.tsx";
import { StarterCard } from "./starter-card.tsx";

/** The service lists templates that need no configuration first. */
const STARTER_COUNT = 3;

export function FirstRun() {
  const templates = useTemplates();
  return (
    <section className="stack first-run">
      <div className="stack tight">
        <h2>Start with a template</h2>
        <p className="muted">
          A workflow is a graph of steps. Run one of these templates, watch its steps complete, then edit it.
          No configuration needed.
        </p>
      </div>
      <Loaded query={templates}>
        {(list) => (
          <div className="grid">
            {list
              .filter((template) => template.builtIn)
              .slice(0, STARTER_COUNT)
              .map((template) => (
                <StarterCard key={template.id} template={template} />
              ))}
          </div>
        )}
      </Loaded>
      <p className="small muted">
        <Link href="/templates">Browse all templates</Link>, or press “New” for an empty workflow.
      </p>
    </section>
  );
}
