import { type ReactNode, useEffect, useState } from "react";
import type { Operation } from "../../../api/permissions.ts";
import type { TriggerKind } from "../../../flow/triggers.ts";
import { DiscardQuestion } from "../../../ui/discard-question.tsx";
import { Switch } from "../../../ui/switch.tsx";
import { triggerIcons } from "../../canvas/trigger-node.tsx";
import type { BuilderState } from "../use-builder.ts";
import { ClosePanelButton } from "../../../ui/close-panel-button.tsx";
import "./triggers.css";

const KIND_LABELS: Readonly<Record<TriggerKind, string>> = {
  manual: "Manual trigger",
  endpoint: "Endpoint trigger",
  webhook: "Webhook trigger",
  schedule: "Schedule trigger",
  form: "Form trigger",
  rss: "Feed trigger",
  email: "Mailbox trigger",
  chat: "Chat trigger",
  app: "App trigger",
};

export interface TriggerPanelProps {
  builder: BuilderState;
  /** The webhook or schedule; `new` for one that is not created yet. */
  recordId: string;
}

interface PanelFrameProps {
  builder: BuilderState;
  kind: TriggerKind;
  title: string;
  /** The operation that changes the trigger. */
  may: Operation;
  /** The switch of the record; absent while it does not exist yet. */
  active?: { checked: boolean; disabled: boolean; onChange: (on: boolean) => void } | undefined;
  children: ReactNode;
}

/**
 * The panel of one trigger: what it is, whether it is active, and its settings. Once something was typed into a form, Escape,
 * the close button and a click on the canvas ask before they discard it. Each panel disables what a role may not change.
 */
export function PanelFrame({ builder, kind, title, may, active, children }: PanelFrameProps) {
  const { beforeLeaving, closeInspector, selection } = builder;
  const Icon = triggerIcons[kind];
  const [isFilled, setFilled] = useState(false);
  /** What happens after the typed text was discarded; undefined while nothing is asked. */
  const [onDiscard, setOnDiscard] = useState<() => void>();
  const ask = (then: () => void): void => setOnDiscard(() => then);
  const leave = (): void => (isFilled ? ask(closeInspector) : closeInspector());
  const { trigger } = selection;
  useEffect(() => {
    if (!isFilled) return undefined;
    beforeLeaving.current = (select, next) => (next.trigger === trigger ? select() : ask(select));
    return () => {
      beforeLeaving.current = undefined;
    };
  }, [isFilled, beforeLeaving, trigger]);
  return (
    <aside
      className="float panel trigger-panel"
      aria-label={title}
      onInput={(event) => (event.target as Element).closest("form") !== null && setFilled(true)}
      onSubmit={() => setFilled(false)}
      onKeyDown={(event) => {
        // A menu that was open has handled it.
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        leave();
      }}
    >
      <header>
        <span className="tile trig">
          <Icon size={16} aria-hidden />
        </span>
        <div className="grow">
          <h2 className="ellipsis">{title}</h2>
          <div className="xs muted">{KIND_LABELS[kind]}</div>
        </div>
        {active !== undefined && (
          <Switch
            label={active.checked ? "Active" : "Paused"}
            name="Active"
            checked={active.checked}
            disabled={active.disabled}
            may={may}
            onChange={active.onChange}
          />
        )}
        <ClosePanelButton onClick={leave} />
      </header>
      {onDiscard !== undefined && (
        <DiscardQuestion onKeep={() => setOnDiscard(undefined)} onDiscard={onDiscard} />
      )}
      {/* Most controls are disabled for a reader, so that the region itself has the focus that scrolls it. */}
      <div className="trigger-body" tabIndex={builder.history.isReadOnly ? 0 : undefined}>
        {children}
      </div>
    </aside>
  );
}
