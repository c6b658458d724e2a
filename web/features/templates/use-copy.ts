import { useRef } from "react";
import { useLocation } from "wouter";
import { startRun } from "../../api/tasks.ts";
import { importTemplate } from "../../api/templates.ts";
import type { Template, Workflow } from "../../api/types.ts";
import { useWorkflowMutation, useWorkflows } from "../../api/workflows.ts";
import { useStoredState } from "../../ui/stored-state.ts";

interface CopyOptions {
  create?: (name: string) => Promise<Workflow>;
  /** The workflow of an earlier run would not have the choices that were made since. */
  isChanged?: boolean;
}

/** Runs the workflow that this browser created from the template, which the first run creates. */
export function useCopy(
  template: Template,
  { create = (name) => importTemplate(template.id, name), isChanged = false }: CopyOptions = {},
) {
  const [, navigate] = useLocation();
  const { data: workflows } = useWorkflows();
  const [copyId, setCopyId] = useStoredState(`baton:copy-of:${template.id}`, "");
  const existing = workflows?.find(({ id }) => id === copyId);

  // A double click starts twice before the buttons are disabled.
  const creating = useRef<Promise<string>>(undefined);

  function createOnce(): Promise<string> {
    creating.current ??= create(freeName(template.name, workflows ?? []))
      .then(({ id }) => {
        setCopyId(id);
        return id;
      })
      .finally(() => (creating.current = undefined));
    return creating.current;
  }

  return {
    existing,
    isLoading: workflows === undefined,
    createOnce,
    run: useWorkflowMutation(
      async () => startRun(existing === undefined || isChanged ? await createOnce() : existing.id, {}),
      (taskId) => navigate(`/runs/${taskId}`),
    ),
  };
}

/** "Report", "Report 2", "Report 3" …: each workflow of a template has its own name. */
function freeName(wanted: string, workflows: readonly { name: string }[]): string {
  const taken = new Set(workflows.map(({ name }) => name));
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted} ${number}`;
  return name;
}
