import type { N8nTrigger } from "../../../contract/n8n-import.ts";
import { APP_TRIGGERS } from "../nodes/apps/app-triggers.ts";
import { textOf, lookUp } from "../source/parameters.ts";
import type { SourceNode, SourceWorkflow } from "../source/source.ts";
import { cronsOf, scheduleDoubt } from "./crons.ts";
import { hasSameFields } from "./trigger-data.ts";
import { webhookOf } from "./webhooks.ts";

/** Kinds of triggers that come with their own name in n8n. */
const KINDS: Readonly<Record<string, N8nTrigger["kind"]>> = {
  manualTrigger: "run",
  start: "run",
  webhook: "webhook",
  scheduleTrigger: "schedule",
  cron: "schedule",
  interval: "schedule",
  formTrigger: "form",
  chatTrigger: "chat",
  manualChatTrigger: "chat",
  emailReadImap: "email",
  rssFeedReadTrigger: "rss",
  executeWorkflowTrigger: "workflow",
  errorTrigger: "error",
};

export function isTrigger({ kind, type }: SourceNode): boolean {
  return Object.hasOwn(KINDS, kind) || /(?:Trigger|^webhook)$/.test(type);
}

/** The values with which a person adds the trigger. Nothing is created: an import never goes live. */
export function triggerOf(node: SourceNode, { timezone }: SourceWorkflow): N8nTrigger {
  const { kind: name, parameters } = node;
  const kind = lookUp(KINDS, name);
  const base = { node: node.name, result: "ready" as const };
  switch (kind) {
    case "run":
      return { ...base, kind, note: "Run starts the workflow by hand." };
    case "webhook":
      return { ...base, kind, ...webhookOf(node) };
    case "schedule":
      return { ...base, kind, ...scheduleOf(node, timezone) };
    case "form":
      return {
        ...base,
        kind,
        title: textOf(parameters["formTitle"]),
        note: "Open the form of the workflow. Its fields are the input of the draft.",
      };
    case "chat":
      return { ...base, kind, title: node.name, note: "Add a chat." };
    case "email":
      return { ...base, kind, result: "check", note: "Add a mailbox with its login." };
    case "rss":
      return { ...base, kind, url: textOf(parameters["feedUrl"]), note: "Add a feed." };
    case "workflow":
      return { ...base, kind, note: "Other workflows start it with a step. Nothing to add." };
    case "error":
      return {
        ...base,
        kind,
        result: "check",
        note: "Choose this workflow as the error workflow of others.",
      };
    default:
      return { ...base, ...appTriggerOf(node) };
  }
}

type TriggerValues = Omit<N8nTrigger, "node" | "kind" | "result"> & { result?: N8nTrigger["result"] };

function scheduleOf(node: SourceNode, timezone: string | undefined): TriggerValues {
  const crons = cronsOf(node);
  const note = timezone === undefined ? "The file names no time zone: choose one." : "";
  const [cron] = crons;
  if (cron === undefined) return { result: "check", note: `Choose the times. ${note}`.trim() };
  const more =
    crons.length > 1
      ? `It has ${crons.length} rules: add one schedule for each (${crons.slice(0, 5).join("; ")}).`
      : "";
  const doubt = scheduleDoubt(node);
  return {
    cron,
    ...(timezone !== undefined && { timezone }),
    result: timezone === undefined || more !== "" || doubt !== "" ? "check" : "ready",
    note: [note, more, doubt].filter((text) => text !== "").join(" "),
  };
}

function appTriggerOf(node: SourceNode): TriggerValues & Pick<N8nTrigger, "kind"> {
  const found = lookUp(APP_TRIGGERS, node.kind);
  if (found === undefined)
    return {
      kind: "webhook",
      result: "unsupported",
      note: "There is no such trigger here. A webhook can take its place when the service sends one.",
    };
  const [app, event] = found;
  return {
    kind: "app",
    app,
    event,
    result: "check",
    note: hasSameFields(node)
      ? "Add the trigger, with the choices of the node."
      : "Add the trigger. Fields may have other names here.",
  };
}
