import { useState } from "react";
import { useLocation } from "wouter";
import { useTeamPages } from "../../api/teams.ts";
import { useWorkflows } from "../../api/workflows.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { PickList } from "../../ui/pick-list.tsx";
import { places } from "./places.ts";

const more = [
  { to: "/endpoints/keys", label: "API keys" },
  { to: "/endpoints/webhooks", label: "Webhooks" },
  { to: "/endpoints/schedules", label: "Schedules" },
  { to: "/agents", label: "Agents" },
];

export function GoAnywhere({ onClose }: { onClose: () => void }) {
  const [, go] = useLocation();
  const [text, setText] = useState("");
  const workflows = useWorkflows().data ?? [];
  const teams = useTeamPages().data ?? [];
  const all = [
    ...[...places, ...more].map(({ to, label }) => ({ key: to, title: label, detail: "Screen" })),
    ...workflows.map(({ id, name }) => ({ key: `/workflows/${id}`, title: name, detail: "Workflow" })),
    ...teams.map(({ id, name }) => ({ key: `/teams/${id}`, title: name, detail: "Team" })),
  ];
  const wanted = text.toLowerCase();
  const found = all.filter((entry) => entry.title.toLowerCase().includes(wanted)).slice(0, 12);
  return (
    <Dialog title="Go anywhere" onClose={onClose}>
      <PickList
        label="Where to"
        text={text}
        onText={setText}
        items={found}
        onPick={(key) => {
          onClose();
          go(key);
        }}
        none="Nothing has that name."
      />
    </Dialog>
  );
}
