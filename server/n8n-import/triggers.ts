import type { N8nTrigger } from "../../contract/n8n-import.ts";
import type { InputField, InputSchema } from "../../contract/input/input-field.ts";
import type { Data, FieldPlace } from "./data.ts";
import { APP_TRIGGERS } from "./nodes/apps.ts";
import { at, entriesAt, listOf, numberOf, type SourceNode, type SourceWorkflow, textOf } from "./source.ts";

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
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  const base = { node: node.name, result: "ready" as const };
  switch (kind) {
    case "run":
      return { ...base, kind, note: "Run starts the workflow by hand." };
    case "webhook":
      return {
        ...base,
        kind,
        result: "check",
        method: textOf(parameters["httpMethod"]) || "GET",
        path: textOf(parameters["path"]),
        note: ["responseNode", "lastNode"].includes(textOf(parameters["responseMode"]))
          ? "Add a webhook with a custom response. Its URL and its secret are new."
          : "Add a webhook. Its URL and its secret are new: give them to the sender.",
      };
    case "schedule": {
      const crons = cronsOf(node);
      const note = timezone === undefined ? "The file names no time zone: choose one." : "";
      const [cron] = crons;
      if (cron === undefined)
        return { ...base, kind, result: "check", note: `Choose the times. ${note}`.trim() };
      const more =
        crons.length > 1
          ? `It has ${crons.length} rules: add one schedule for each (${crons.slice(0, 5).join("; ")}).`
          : "";
      return {
        ...base,
        kind,
        cron,
        ...(timezone !== undefined && { timezone }),
        result: timezone === undefined || more !== "" ? "check" : "ready",
        note: [note, more].filter((text) => text !== "").join(" "),
      };
    }
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
    default: {
      const found = Object.hasOwn(APP_TRIGGERS, name) ? APP_TRIGGERS[name] : undefined;
      if (found === undefined)
        return {
          ...base,
          kind: "webhook",
          result: "unsupported",
          note: "There is no such trigger here. A webhook can take its place when the service sends one.",
        };
      const [app, event] = found;
      return {
        ...base,
        kind: "app",
        app,
        event,
        result: "check",
        note: "Add the trigger. Fields may have other names here.",
      };
    }
  }
}

const number = (value: unknown, usual: number, max: number): number =>
  Math.min(max, Math.max(0, Math.trunc(numberOf(value) ?? usual)));

/** The rules of `scheduleTrigger`, and of its forerunners. */
function cronsOf({ kind, parameters }: SourceNode): string[] {
  if (kind === "interval") {
    const unit = textOf(parameters["unit"]);
    return [
      everyCron(
        unit === "hours" ? "hours" : "minutes",
        unit === "" || unit === "seconds" ? 1 : number(parameters["interval"], 1, 59),
      ),
    ];
  }
  const rules =
    kind === "cron"
      ? entriesAt(parameters, "triggerTimes", "item")
      : entriesAt(parameters, "rule", "interval");
  return rules.slice(0, 20).flatMap((rule) => {
    const hour = number(rule["triggerAtHour"] ?? rule["hour"], kind === "cron" ? 14 : 0, 23);
    const minute = number(rule["triggerAtMinute"] ?? rule["minute"], 0, 59);
    const days = listOf(rule["triggerAtDay"]).filter(
      (day) => typeof day === "number" && day >= 0 && day <= 7,
    );
    switch (textOf(rule["field"] ?? rule["mode"]) || (kind === "cron" ? "everyDay" : "days")) {
      case "cronExpression":
      case "custom":
        return withoutSeconds(textOf(rule["expression"] ?? rule["cronExpression"]));
      case "seconds":
      case "everyMinute":
        return ["* * * * *"];
      case "minutes":
        return [everyCron("minutes", number(rule["minutesInterval"], 5, 59))];
      case "everyX":
        return [
          everyCron(textOf(rule["unit"]) === "minutes" ? "minutes" : "hours", number(rule["value"], 1, 59)),
        ];
      case "hours":
        return [everyCron("hours", number(rule["hoursInterval"], 1, 23), minute)];
      case "everyHour":
        return [`${minute} * * * *`];
      case "weeks":
        return [`${minute} ${hour} * * ${days.length > 0 ? days.join(",") : "0"}`];
      case "everyWeek":
        return [`${minute} ${hour} * * ${number(Number(rule["weekday"]), 1, 7)}`];
      case "months":
      case "everyMonth":
        return [
          `${minute} ${hour} ${Math.max(1, number(rule["triggerAtDayOfMonth"] ?? rule["dayOfMonth"], 1, 31))} * *`,
        ];
      default: {
        const every = number(rule["daysInterval"], 1, 31);
        return [`${minute} ${hour} ${every > 1 ? `*/${every}` : "*"} * *`];
      }
    }
  });
}

function everyCron(unit: "minutes" | "hours", every: number, minute = 0): string {
  const step = every > 1 ? `*/${every}` : "*";
  return unit === "minutes" ? `${step} * * * *` : `${minute} ${step} * * *`;
}

/** n8n allows a first field with seconds. */
function withoutSeconds(cron: string): string[] {
  const fields = cron.replace(/^=/, "").trim().split(/\s+/);
  return fields.length === 6 ? [fields.slice(1).join(" ")] : fields.length === 5 ? [fields.join(" ")] : [];
}

const PLACES: Readonly<Record<string, readonly FieldPlace[]>> = {
  webhook: [
    { from: ["body"], to: ["input"] },
    { from: ["query"], to: ["trigger", "query"] },
    { from: ["headers"], to: ["trigger", "headers"], lowerCase: true },
  ],
  chat: [
    { from: ["chatInput"], to: ["input", "message"] },
    { from: ["sessionId"], to: ["input", "conversationId"] },
  ],
  schedule: [{ from: ["timestamp"], to: ["now"] }],
  error: [
    { from: ["execution", "error"], to: ["input", "error"] },
    { from: ["execution", "id"], to: ["input", "taskId"] },
    { from: ["execution", "url"], to: ["input", "url"] },
    { from: ["execution", "lastNodeExecuted"], to: ["input", "failedStep"] },
    { from: ["workflow"], to: ["input", "workflow"] },
  ],
  email: [
    { from: ["textPlain"], to: ["input", "text"] },
    { from: ["textHtml"], to: ["input", "html"] },
    { from: ["subject"], to: ["input", "subject"] },
    { from: ["text"], to: ["input", "text"] },
    { from: ["html"], to: ["input", "html"] },
    { from: ["date"], to: ["input", "date"] },
  ],
};

/** The data of a trigger is the input of the run. */
export function dataOfTrigger(node: SourceNode, { kind }: N8nTrigger): Data {
  return {
    path: ["input"],
    shape: "one",
    exact: kind !== "app",
    node: node.name,
    places: PLACES[kind],
    ...(node.kind === "" && { exact: false }),
  };
}

const FORMATS: Readonly<Record<string, InputField>> = {
  email: { type: "string", format: "email" },
  date: { type: "string", format: "date" },
  textarea: { type: "string", format: "multiline" },
  number: { type: "number" },
  file: { type: "object", format: "file" },
};

/** The fields of a form as the input schema; undefined without a form. */
export function inputSchemaOf(triggers: readonly SourceNode[]): InputSchema | undefined {
  const form = triggers.find(({ kind }) => kind === "formTrigger");
  const fields = entriesAt(form?.parameters, "formFields", "values").slice(0, 100);
  const named = fields.flatMap((field) => {
    const label = textOf(field["fieldLabel"] ?? field["fieldName"]);
    if (label === "" || label.length > 200 || label === "__proto__") return [];
    const choices = entriesAt(field, "fieldOptions", "values")
      .map(({ option }) => textOf(option))
      .filter((option) => option !== "");
    const type = FORMATS[textOf(field["fieldType"])] ?? { type: "string" };
    return [
      {
        label,
        isRequired: field["requiredField"] === true,
        schema: {
          ...type,
          title: label,
          ...(choices.length > 0 && type.type === "string" && { enum: [...new Set(choices)] }),
        } satisfies InputField,
      },
    ];
  });
  if (named.length === 0 || at(form?.parameters, "defineForm") === "json") return undefined;
  return {
    type: "object",
    properties: Object.fromEntries(named.map(({ label, schema }) => [label, schema])),
    required: [...new Set(named.filter(({ isRequired }) => isRequired).map(({ label }) => label))],
  };
}
