import * as z from "zod";
import { useParams } from "wouter";
import { useServerDraft } from "../../api/drafts.ts";
import { useWorkflow } from "../../api/workflows.ts";
import { Screen } from "../../ui/screen.tsx";
import { Loaded } from "../../ui/states.tsx";
import { Builder } from "./builder.tsx";

// The content security policy forbids `eval`, which zod would use to compile its schemas.
z.config({ jitless: true });

export function BuilderScreen() {
  const { id } = useParams<{ id: string }>();
  const workflow = useWorkflow(id);
  const draft = useServerDraft(id);
  if (workflow.data !== undefined && draft.data !== undefined)
    return <Builder key={id} workflow={workflow.data} serverDraft={draft.data} />;
  return (
    <Screen title="Workflow" breadcrumbs="Workflows /">
      <div className="page">
        <Loaded query={workflow.data === undefined ? workflow : draft} rows={6}>
          {() => null}
        </Loaded>
      </div>
    </Screen>
  );
}
