import { Play } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { useConnections } from "../../api/connections.ts";
import { importTemplate, useTemplate } from "../../api/templates.ts";
import type { Template, Workflow } from "../../api/types.ts";
import { saveWorkflow, useWorkflowMutation } from "../../api/workflows.ts";
import { presetConnections, templateNeeds, withConnections } from "../../flow/template-needs.ts";
import { Allowed } from "../../ui/allowed.tsx";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { Screen } from "../../ui/screen.tsx";
import { Failure, Loaded, Skeleton } from "../../ui/states.tsx";
import { proposedTriggerState } from "../builder/builder-link.ts";
import { OwnTemplateMenu } from "./own-template-menu.tsx";
import { TemplateFacts } from "./template-facts.tsx";
import { useCopy } from "./use-copy.ts";
import "./templates.css";

const ReadOnlyCanvas = lazyComponent(() => import("../canvas/read-only-canvas.tsx"), "ReadOnlyCanvas");

/** What a template does and needs, before anything is created. */
export function TemplateScreen({ params: { id } }: { params: { id: string } }) {
  const template = useTemplate(id);
  if (template.data !== undefined) return <Preview key={id} template={template.data} />;
  return (
    <Screen title="Template" breadcrumbs={<Breadcrumbs />}>
      <div className="page">
        <Loaded query={template}>{() => null}</Loaded>
      </div>
    </Screen>
  );
}

const Breadcrumbs = () => (
  <>
    <Link href="/templates">Templates</Link> /
  </>
);

function Preview({ template }: { template: Template }) {
  const [, navigate] = useLocation();
  const needs = templateNeeds(template);
  // The empty text is a connection that was deselected.
  const [picked, setPicked] = useState<Record<string, string>>({});
  const known = useConnections().data ?? [];
  const connections = Object.fromEntries(
    Object.entries({ ...presetConnections(needs, known), ...picked }).filter(([, id]) => id !== ""),
  );
  const open = needs.filter(
    (need) => need.kind === "connection" && !need.optional && connections[need.key] === undefined,
  );

  // A retry after the connections could not be saved would create a second workflow.
  const unfinished = useRef<Workflow>(undefined);
  async function create(name: string): Promise<Workflow> {
    const workflow = (unfinished.current ??= await importTemplate(template.id, name));
    const created =
      Object.keys(connections).length === 0 ? workflow : await saveConnections(workflow, connections);
    unfinished.current = undefined;
    return created;
  }

  const copy = useCopy(template, { create, isChanged: Object.keys(picked).length > 0 });
  const use = useWorkflowMutation(copy.createOnce, (id) =>
    navigate(
      `/workflows/${id}`,
      template.trigger === undefined ? {} : { state: proposedTriggerState(template.trigger) },
    ),
  );
  const error = use.error ?? copy.run.error;
  const isBusy = use.isPending || copy.run.isPending || copy.isLoading;
  return (
    <Screen
      title={template.name}
      breadcrumbs={<Breadcrumbs />}
      actions={
        <Allowed
          to="importTemplate"
          otherwise={<span className="small muted">To use it you need the role Builder.</span>}
        >
          {copy.existing !== undefined && (
            <Link href={`/workflows/${copy.existing.id}`} className="btn wide-only">
              Open your workflow
            </Link>
          )}
          <button
            type="button"
            className="btn"
            disabled={isBusy || open.length > 0}
            title={open.length > 0 ? "Choose the connections first." : undefined}
            onClick={() => copy.run.mutate(undefined)}
          >
            <Play size={14} /> Run
          </button>
          <button type="button" className="btn go" disabled={isBusy} onClick={() => use.mutate(undefined)}>
            Use template
          </button>
          {!template.builtIn && <OwnTemplateMenu template={template} onGone={() => navigate("/templates")} />}
        </Allowed>
      }
    >
      <div className="template-preview">
        <div className="template-canvas">
          <Suspense fallback={<Skeleton />}>
            <ReadOnlyCanvas graph={template} label={`Steps of ${template.name}`} />
          </Suspense>
        </div>
        <aside className="stack" aria-label="About this template">
          {error !== null && <Failure error={error} />}
          <TemplateFacts
            template={template}
            needs={needs}
            connections={connections}
            onConnect={(key, connection = "") => setPicked({ ...picked, [key]: connection })}
          />
        </aside>
      </div>
    </Screen>
  );
}

async function saveConnections(
  { id, metadata }: Workflow,
  connections: Readonly<Record<string, string>>,
): Promise<Workflow> {
  const steps = withConnections(metadata.steps, connections);
  return (await saveWorkflow(id, { metadata: { ...metadata, steps }, note: "Connections chosen" })).workflow;
}
