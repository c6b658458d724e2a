import { Zap } from "lucide-react";
import { TRIGGER_CHOICES } from "../../../flow/trigger-choices.ts";
import { LazyMenu } from "../../../ui/lazy-menu.tsx";
import { triggerIcons } from "../../canvas/trigger-node.tsx";
import type { BuilderState } from "../use-builder.ts";
import "./triggers.css";
import { useAddTrigger } from "./use-add-trigger.ts";

export function AddTriggerTiles({ builder }: { builder: BuilderState }) {
  const add = useAddTrigger(builder);
  return (
    <div className="trigger-tiles">
      {TRIGGER_CHOICES.map(({ kind, label, text }) => {
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
        TRIGGER_CHOICES.map(({ kind, label }) => {
          const Icon = triggerIcons[kind];
          return { label, icon: <Icon size={14} />, may: "createTrigger", onSelect: () => add(kind) };
        }),
      ]}
    />
  );
}
