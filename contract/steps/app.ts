import { inWords } from "./common.ts";
import { object, text } from "./fields.ts";
import { defineStepType, type FieldProblem } from "./step-type.ts";

export const appStep = defineStepType({
  type: "app",
  title: "Use an app",
  description:
    "Runs an action of an app, such as sending a Slack message, with one of your connections. GET /api/apps lists apps and actions with their inputs. An action that lists returns a list of at most `limit` items.",
  category: "connect",
  synonyms: ["integration", "connector", "service"],
  fields: {
    app: text("The app, by id: slack, github …"),
    action: text("The action of the app, by id: send_message …"),
    connection: text("One of your connections of the app, by id.").optional(),
    input: object("The fields of the action, as names and values.").optional(),
  },
  // Fixed, so that a workflow shows what it may do and which connections it uses.
  check: (step): FieldProblem[] =>
    ["app", "action", "connection"].flatMap((field) => {
      const value = step[field];
      return typeof value === "string" && value.includes("{{")
        ? [{ code: "invalid_field" as const, field, message: "must be an id, not a placeholder" }]
        : [];
    }),
  shortTitle: "App",
  summary: ({ app, action }) =>
    [inWords(app), inWords(action).replaceAll("_", " ")].filter(Boolean).join(": "),
  form: {
    app: { label: "App", example: "slack" },
    action: { label: "Action", example: "send_message" },
    connection: { label: "Connection", common: true },
    input: { label: "Input", control: "long", common: true, example: '{ "text": "Hello" }' },
  },
  example: {
    stepId: "notify",
    type: "app",
    app: "slack",
    action: "send_message",
    connection: "conn_01J9X3",
    input: { channel: "C024BE91L", text: "Order {{input.id}} is paid" },
  },
});
