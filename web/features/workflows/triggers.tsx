import {
  Blocks,
  CalendarClock,
  ClipboardList,
  Globe,
  type LucideIcon,
  Mail,
  MessageCircle,
  MousePointerClick,
  Rss,
  Webhook,
} from "lucide-react";
import { useCallback, useMemo } from "react";
import type { WorkflowHead } from "../../api/types.ts";
import { useAll } from "../../api/pages.ts";

export type TriggerKind =
  | "webhook"
  | "schedule"
  | "form"
  | "endpoint"
  | "rss"
  | "email"
  | "chat"
  | "app"
  | "manual";

export const TRIGGERS: Record<TriggerKind, { label: string; icon: LucideIcon }> = {
  webhook: { label: "Webhook", icon: Webhook },
  schedule: { label: "Schedule", icon: CalendarClock },
  form: { label: "Form", icon: ClipboardList },
  endpoint: { label: "Endpoint", icon: Globe },
  rss: { label: "Feed", icon: Rss },
  email: { label: "Mailbox", icon: Mail },
  chat: { label: "Chat", icon: MessageCircle },
  app: { label: "App", icon: Blocks },
  manual: { label: "Manual", icon: MousePointerClick },
};

/** The triggers of a workflow; "manual" when it has no other. */
export function useTriggers(): (workflow: WorkflowHead) => TriggerKind[] {
  const { data: webhooks } = useAll({ noun: "webhooks", path: "/api/webhooks" });
  const { data: schedules } = useAll({ noun: "schedules", path: "/api/schedules" });
  const { data: stored } = useAll({ noun: "triggers", path: "/api/triggers" });
  const called = useMemo(() => new Set(webhooks?.map(({ workflowId }) => workflowId)), [webhooks]);
  const scheduled = useMemo(() => new Set(schedules?.map(({ workflowId }) => workflowId)), [schedules]);
  return useCallback(
    ({ id, apiSettings, form }) => {
      const kinds: TriggerKind[] = [];
      if (called.has(id)) kinds.push("webhook");
      if (scheduled.has(id)) kinds.push("schedule");
      if (form?.enabled === true) kinds.push("form");
      if (apiSettings.enabled) kinds.push("endpoint");
      for (const { workflowId, kind } of stored ?? [])
        if (workflowId === id && !kinds.includes(kind)) kinds.push(kind);
      return kinds.length === 0 ? ["manual"] : kinds;
    },
    [called, scheduled, stored],
  );
}

export function TriggerIcon({ kinds }: { kinds: readonly TriggerKind[] }) {
  const { icon: Icon } = TRIGGERS[kinds[0] ?? "manual"];
  const label = kinds.map((kind) => TRIGGERS[kind].label).join(", ");
  return (
    <span className="trigger-icon" role="img" aria-label={`Trigger: ${label}`} title={label}>
      <Icon size={14} />
    </span>
  );
}
