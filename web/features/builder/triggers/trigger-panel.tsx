import { triggerId } from "../../../flow/triggers.ts";
import { selectTrigger } from "../../../flow/selection.ts";
import type { BuilderState } from "../use-builder.ts";
import { EndpointPanel } from "./endpoint-panel.tsx";
import { FormPanel } from "./form-panel.tsx";
import { ManualPanel } from "./manual-panel.tsx";
import { SchedulePanel } from "./schedule-panel.tsx";
import { StoredTriggerPanel } from "./stored-trigger-panel.tsx";
import { parseTriggerId } from "./trigger-id.ts";
import { WebhookPanel } from "./webhook-panel.tsx";

/** The panel of the selected trigger. */
export function TriggerPanel({ builder, trigger }: { builder: BuilderState; trigger: string }) {
  const { kind, recordId } = parseTriggerId(trigger);
  const props = { builder, recordId };
  switch (kind) {
    case "endpoint":
      return <EndpointPanel {...props} />;
    case "webhook":
      return (
        <WebhookPanel
          {...props}
          onCreated={(id) => builder.setSelection(selectTrigger(triggerId("webhook", id)))}
        />
      );
    case "schedule":
      return (
        <SchedulePanel
          key={recordId}
          {...props}
          onCreated={(id) => builder.setSelection(selectTrigger(triggerId("schedule", id)))}
        />
      );
    case "rss":
    case "email":
    case "chat":
    case "app":
      return (
        <StoredTriggerPanel
          key={recordId}
          {...props}
          kind={kind}
          onCreated={(id) => builder.setSelection(selectTrigger(triggerId(kind, id)))}
        />
      );
    case "form":
      return <FormPanel {...props} />;
    case "manual":
      return <ManualPanel {...props} />;
  }
}
