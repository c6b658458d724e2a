import { FileInput, LayoutTemplate, Plus, Sparkles } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useTemplates } from "../../api/templates.ts";
import { Empty, Loaded } from "../../ui/states.tsx";
import type { NewWorkflow } from "./new-workflow.tsx";
import { StarterCard } from "./starter-card.tsx";
import { useMay } from "../../api/permissions.ts";

/** The service lists templates that need no configuration first. */
const STARTER_COUNT = 3;

/** For an account without workflows: four ways to start, and samples that run without credentials. */
export function FirstRun({ start }: { start: NewWorkflow }) {
  const templates = useTemplates();
  const may = useMay();
  if (!may("createWorkflow"))
    return (
      <Empty title="No workflows yet">
        Workflows appear here once a member with the role Builder has created one.
      </Empty>
    );
  return (
    <section className="stack first-run">
      <div className="grid ways">
        <Way icon={<Sparkles size={18} />} title="Describe it" onClick={start.describe}>
          Say in a sentence what should happen. You get a draft to check.
        </Way>
        <Way icon={<Plus size={18} />} title="Start empty" onClick={start.create}>
          Choose a trigger and add the first step.
        </Way>
        <Way icon={<LayoutTemplate size={18} />} title="Browse templates" onClick={start.openTemplates}>
          Approvals, reports, loops, agents and documents, ready to change.
        </Way>
        <Way icon={<FileInput size={18} />} title="Import from n8n" onClick={start.openN8n}>
          Choose a file or paste nodes. You see what each becomes before you import it.
        </Way>
      </div>
      <div className="stack tight">
        <h2>Start with a template</h2>
        <p className="muted">
          These run at once, without credentials. Watch the steps complete, then change them.
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
        <Link href="/templates">Browse all templates</Link>
      </p>
    </section>
  );
}

interface WayProps {
  icon: ReactNode;
  title: string;
  onClick: () => void;
  children: ReactNode;
}

function Way({ icon, title, onClick, children }: WayProps) {
  return (
    <button type="button" className="card way" onClick={onClick}>
      {icon}
      <span className="way-title">{title}</span>
      <span className="small muted">{children}</span>
    </button>
  );
}
