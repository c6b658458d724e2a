import { useLocation } from "wouter";
import { useSignOut } from "../../api/accounts.ts";
import { type Operation, useMay } from "../../api/permissions.ts";
import { useNewWorkflow } from "../workflows/new-workflow.tsx";
import { navGroups, notificationsItem, settingsItem, settingsScreens } from "./navigation.ts";
import type { Command } from "./palette-command.ts";
import { useMayOpen } from "./use-may-open.ts";
import { useTheme } from "./use-theme.ts";

/** The screens and actions that the role of the person may use. */
export function useCommands(onShortcuts: () => void): readonly Command[] {
  const [, navigate] = useLocation();
  const [theme, toggleTheme] = useTheme();
  const signOut = useSignOut();
  const may = useMay();
  const mayOpen = useMayOpen();
  const { create: createNew } = useNewWorkflow();
  const open = (path: string) => () => navigate(path);
  const action = (title: string, run: () => void, needs?: Operation): Command[] =>
    needs === undefined || may(needs) ? [{ key: title, group: "Actions", title, run }] : [];
  return [
    ...[...navGroups.flat(), notificationsItem, settingsItem]
      .filter(({ to }) => mayOpen(to))
      .map(({ to, label }) => ({ key: to, group: "Screens", title: label, run: open(to) })),
    // The first one is the screen "Settings" itself.
    ...settingsScreens
      .slice(1)
      .filter(([to]) => mayOpen(to))
      .map(([to, label]) => ({ key: to, group: "Settings", title: label, run: open(to) })),
    ...action("New workflow", createNew, "createWorkflow"),
    ...action("Import from n8n", open("/workflows/import-n8n"), "importN8nWorkflow"),
    ...action("Upload a document", open("/documents"), "uploadDocument"),
    ...action("Create an API key", open("/settings/api-keys"), "createApiKey"),
    ...action("Subscribe to events", open("/settings/events"), "createEventSubscription"),
    ...action("Change password", open("/settings")),
    ...action("Show shortcuts", onShortcuts),
    ...action(theme === "dark" ? "Light theme" : "Dark theme", toggleTheme),
    ...action("Sign out", signOut),
  ];
}
