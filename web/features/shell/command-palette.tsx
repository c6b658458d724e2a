import { useState } from "react";
import { useLocation } from "wouter";
import { useSignOut } from "../../api/accounts.ts";
import { useDocuments } from "../../api/documents.ts";
import { useTaskPages } from "../../api/tasks.ts";
import { useTeamPages } from "../../api/teams.ts";
import { useWorkflowName, useWorkflows } from "../../api/workflows.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { PickList } from "../../ui/pick-list.tsx";
import { useNewWorkflow } from "../workflows/new-workflow.tsx";
import { navGroups, settingsItem } from "./navigation.ts";
import { useTheme } from "./use-theme.ts";
import { useMay } from "../../api/permissions.ts";
import { useMayOpen } from "./use-may-open.ts";

const MAX_MATCHES = 12;
const TASK_ID = /^task_[\w-]+$/;

interface Command {
  key: string;
  title: string;
  detail: string;
  run: () => void;
}

interface CommandPaletteProps {
  onClose: () => void;
  onShortcuts: () => void;
}

/** Opens any screen, workflow, team, document or run, and starts the actions that need no screen of their own. */
export function CommandPalette({ onClose, onShortcuts }: CommandPaletteProps) {
  const [text, setText] = useState("");
  const commands = useCommands(onShortcuts);
  const search = text.trim().toLowerCase();
  const matches = [
    ...openByRunId(text.trim(), commands.open),
    ...commands.all.filter(({ title, detail }) => `${title} ${detail}`.toLowerCase().includes(search)),
  ].slice(0, MAX_MATCHES);
  return (
    <Dialog title="Search" onClose={onClose}>
      <PickList
        label="Screen, workflow, run, document or action"
        text={text}
        onText={setText}
        items={matches}
        onPick={(picked) => {
          onClose();
          matches.find(({ key }) => key === picked)?.run();
        }}
        emptyMessage="No matches. Paste the id of a run to open it."
      />
    </Dialog>
  );
}

function useCommands(onShortcuts: () => void): { all: Command[]; open: (path: string) => () => void } {
  const [, navigate] = useLocation();
  const [theme, toggleTheme] = useTheme();
  const signOut = useSignOut();
  const may = useMay();
  const mayOpen = useMayOpen();
  const workflows = useWorkflows().data ?? [];
  const workflowName = useWorkflowName();
  const teams = useTeamPages().data ?? [];
  const documents = useDocuments().data ?? [];
  const tasks = useTaskPages({}).data ?? [];
  const { create: createNew } = useNewWorkflow();
  const open = (path: string) => () => navigate(path);
  const action = (title: string, run: () => void): Command => ({ key: title, title, detail: "Action", run });
  const all = [
    ...[...navGroups.flat(), settingsItem]
      .filter(({ to }) => mayOpen(to))
      .map(({ to, label }) => ({
        key: to,
        title: label,
        detail: "Screen",
        run: open(to),
      })),
    ...(may("createWorkflow") ? [action("New workflow", createNew)] : []),
    ...(may("uploadDocument") ? [action("Upload a document", open("/documents"))] : []),
    ...(may("createApiKey") ? [action("Create an API key", open("/settings/api-keys"))] : []),
    ...(may("createEventSubscription") ? [action("Subscribe to events", open("/settings/events"))] : []),
    action("Change password", open("/settings")),
    action("Show shortcuts", onShortcuts),
    action(theme === "dark" ? "Light theme" : "Dark theme", toggleTheme),
    action("Sign out", signOut),
    ...workflows.map(({ id, name }) => ({
      key: id,
      title: name,
      detail: "Workflow",
      run: open(`/workflows/${id}`),
    })),
    ...teams.map(({ id, name }) => ({ key: id, title: name, detail: "Team", run: open(`/teams/${id}`) })),
    ...documents.map(({ document_id, title }) => ({
      key: document_id,
      title,
      detail: "Document",
      run: open(`/documents?open=${document_id}`),
    })),
    ...tasks.map(({ id, workflowId, status }) => ({
      key: id,
      title: workflowName(workflowId),
      detail: `Run ${id.slice(-6)} · ${status}`,
      run: open(`/runs/${id}`),
    })),
  ];
  return { all, open };
}

/** A pasted id opens its run, however old. */
function openByRunId(text: string, open: (path: string) => () => void): Command[] {
  if (!TASK_ID.test(text)) return [];
  return [{ key: `open ${text}`, title: text, detail: "Run", run: open(`/runs/${text}`) }];
}
