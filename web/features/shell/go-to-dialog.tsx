import { useState } from "react";
import { useLocation } from "wouter";
import { useTeamPages } from "../../api/teams.ts";
import { useWorkflows } from "../../api/workflows.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { PickList } from "../../ui/pick-list.tsx";
import { navItems } from "./navigation.ts";

const MAX_MATCHES = 12;

const subScreens = [
  { to: "/endpoints/keys", label: "API keys" },
  { to: "/endpoints/webhooks", label: "Webhooks" },
  { to: "/endpoints/schedules", label: "Schedules" },
  { to: "/agents", label: "Agents" },
];

/** Opens any screen, workflow or team by name. */
export function GoToDialog({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const [text, setText] = useState("");
  const workflows = useWorkflows().data ?? [];
  const teams = useTeamPages().data ?? [];
  const targets = [
    ...[...navItems, ...subScreens].map(({ to, label }) => ({ key: to, title: label, detail: "Screen" })),
    ...workflows.map(({ id, name }) => ({ key: `/workflows/${id}`, title: name, detail: "Workflow" })),
    ...teams.map(({ id, name }) => ({ key: `/teams/${id}`, title: name, detail: "Team" })),
  ];
  const search = text.toLowerCase();
  const matches = targets.filter(({ title }) => title.toLowerCase().includes(search)).slice(0, MAX_MATCHES);
  return (
    <Dialog title="Go to" onClose={onClose}>
      <PickList
        label="Screen, workflow or team"
        text={text}
        onText={setText}
        items={matches}
        onPick={(key) => {
          onClose();
          navigate(key);
        }}
        emptyMessage="No matches."
      />
    </Dialog>
  );
}
