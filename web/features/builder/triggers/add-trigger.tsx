import { Zap } from "lucide-react";
import type { TriggerKind } from "../../../flow/triggers.ts";
import { LazyMenu } from "../../../ui/lazy-menu.tsx";
import { triggerIcons } from "../../canvas/trigger-node.tsx";
import type { BuilderState } from "../use-builder.ts";
import "./triggers.css";
import { useAddTrigger } from "./use-add-trigger.ts";

const CHOICES: readonly { kind: TriggerKind; label: string; text: string }[] = [
  { kind: "endpoint", label: "Endpoint", text: "A program calls a URL" },
  { kind: "webhook", label: "Webhook", text: "Another service sends an event" },
  { kind: "schedule", label: "Schedule", text: "At set times" },
  { kind: "form", label: "Form", text: "A person fills in a page" },
  { kind: "chat", label: "Chat", text: "A person writes a message" },
  { kind: "email", label: "Mailbox", text: "An e-mail arrives" },
  { kind: "rss", label: "Feed", text: "An RSS or Atom feed has news" },
];

export function AddTriggerTiles({ builder }: { builder: BuilderState }) {
  const add = useAddTrigger(builder);
  return (
    <div className="trigger-tiles">
      {CHOICES.map(({ kind, label, text }) => {
        const Icon = triggerIcons[kind];
        return (
          <button key={kind} type="button" className="trigger-tile" onClick={() => add(kind)}>
            <Icon size={16} aria-hidden />
            <b>{label}</b>
            <small>{text}</small>
          </button>
        );
      })}
    </div>
  );
}

/** A tool of the canvas. */
export function AddTriggerMenu({ builder }: { builder: BuilderState }) {
  const add = useAddTrigger(builder);
  return (
    <LazyMenu
      align="start"
      trigger={
        <button type="button" className="btn ghost icon" aria-label="Add trigger" title="Add trigger">
          <Zap size={16} />
        </button>
      }
      groups={[
        CHOICES.map(({ kind, label }) => {
          const Icon = triggerIcons[kind];
          return { label, icon: <Icon size={14} />, onSelect: () => add(kind) };
        }),
      ]}
    />
  );
}
