import { useMemo } from "react";
import { useAll } from "../../../api/pages.ts";
import type { Workflow } from "../../../api/types.ts";
import type { Schedule } from "../../../api/schedules.ts";
import type { StoredTrigger } from "../../../api/triggers.ts";
import type { Webhook } from "../../../api/webhooks.ts";
import { describeCron } from "../../../flow/describe-cron.ts";
import { type Trigger, triggerId } from "../../../flow/triggers.ts";

/** Everything that starts this workflow. A workflow that nothing starts is started by hand. */
export function useTriggers(workflow: Workflow): Trigger[] {
  const webhooks = useAll({ noun: "webhooks", path: "/api/webhooks" }).data;
  const schedules = useAll({ noun: "schedules", path: "/api/schedules" }).data;
  const stored = useAll({ noun: "triggers", path: "/api/triggers" }).data;
  return useMemo(
    () => triggersOf(workflow, webhooks ?? [], schedules ?? [], stored ?? []),
    [workflow, webhooks, schedules, stored],
  );
}

function triggersOf(
  workflow: Workflow,
  webhooks: readonly Webhook[],
  schedules: readonly Schedule[],
  stored: readonly StoredTrigger[],
): Trigger[] {
  const { id, apiSettings, form } = workflow;
  const slug = apiSettings.endpointName ?? id;
  const triggers: Trigger[] = [];
  // A paused endpoint keeps its name; a form shares it.
  if (apiSettings.enabled || (apiSettings.endpointName !== null && form === undefined))
    triggers.push({
      id: triggerId("endpoint", id),
      kind: "endpoint",
      recordId: id,
      title: "Endpoint",
      detail: `POST /api/workflows/public/${slug}`,
      status: apiSettings.enabled ? "active" : "paused",
    });
  if (form !== undefined)
    triggers.push({
      id: triggerId("form", id),
      kind: "form",
      recordId: id,
      title: form.title ?? "Form",
      detail: `Form · /f/${slug}`,
      status: form.enabled ? "active" : "paused",
    });
  for (const webhook of webhooks)
    if (webhook.workflowId === id)
      triggers.push({
        id: triggerId("webhook", webhook.id),
        kind: "webhook",
        recordId: webhook.id,
        title: webhook.name,
        detail: `Webhook · ${webhook.source}`,
        status: webhook.active ? "active" : "paused",
      });
  for (const schedule of schedules)
    if (schedule.workflowId === id)
      triggers.push({
        id: triggerId("schedule", schedule.id),
        kind: "schedule",
        recordId: schedule.id,
        title: schedule.name === "" ? "Schedule" : schedule.name,
        detail: `Schedule · ${describeCron(schedule.cron) ?? schedule.cron}`,
        status: schedule.active ? "active" : "paused",
      });
  for (const trigger of stored)
    if (trigger.workflowId === id)
      triggers.push({
        id: triggerId(trigger.kind, trigger.id),
        kind: trigger.kind,
        recordId: trigger.id,
        ...wordsOf(trigger),
        status: trigger.active ? "active" : "paused",
      });
  if (triggers.length > 0) return triggers;
  const manual = { kind: "manual", recordId: id, title: "Manual", detail: "Started by hand" } as const;
  return [{ ...manual, id: triggerId("manual", id), status: "active" }];
}

function wordsOf(trigger: StoredTrigger): Pick<Trigger, "title" | "detail"> {
  const { name } = trigger;
  switch (trigger.kind) {
    case "rss":
      return { title: name || "Feed", detail: `Feed · ${new URL(trigger.settings.url).host}` };
    case "email":
      return { title: name || "Mailbox", detail: `Mailbox · ${trigger.settings.user}` };
    case "app":
      return {
        title: name || "App",
        detail: `${trigger.settings.app} · ${trigger.settings.trigger.replaceAll("_", " ")}`,
      };
    case "chat":
      return { title: trigger.settings.title || "Chat", detail: `Chat · /chat/${trigger.settings.slug}` };
  }
}
