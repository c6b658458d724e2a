import { Link } from "wouter";
import { useTemplates } from "../../api/templates.ts";
import { Loaded } from "../../ui/states.tsx";
import { StarterCard } from "./starter-card.tsx";

/** The registry lists what runs without any setting first. */
const OFFERED = 3;

export function FirstRun() {
  const templates = useTemplates();
  return (
    <section className="stack first-run">
      <div className="stack tight">
        <h2>Start with one that works</h2>
        <p className="muted">
          A workflow is a few steps joined by lines. Run one of these, watch it light up, then change it.
          Nothing needs to be set up.
        </p>
      </div>
      <Loaded query={templates}>
        {(list) => (
          <div className="grid">
            {list
              .filter((template) => template.builtIn)
              .slice(0, OFFERED)
              .map((template) => (
                <StarterCard key={template.id} template={template} />
              ))}
          </div>
        )}
      </Loaded>
      <p className="small muted">
        <Link href="/templates">See all starters</Link>, or press “New” for an empty canvas.
      </p>
    </section>
  );
}
