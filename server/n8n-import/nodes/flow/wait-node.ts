import { textOf, lookUp } from "../../source/parameters.ts";
import type { Converted, NodeContext, NodeKind } from "../node-context.ts";

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  seconds: 1,
  minutes: 60,
  hours: 3600,
  days: 86_400,
  weeks: 604_800,
};

function wait(context: NodeContext): Converted {
  const { parameters, node } = context;
  const resume = textOf(parameters["resume"]) || "timeInterval";
  if (resume === "webhook") {
    context.check(
      "Continues when its resume URL is called: {{task.resumeUrls.<id of this step>}} in place of $execution.resumeUrl.",
    );
    return { step: { type: "wait_event", event: "n8n.resume", key: "{{task.id}}" } };
  }
  if (resume === "form") {
    context.check("A form in the middle of a run becomes an approval. Its fields are not imported.");
    return {
      step: { type: "approval", message: context.text(parameters["formTitle"], "formTitle") || node.name },
    };
  }
  const until = textOf(parameters["dateTime"]);
  if (resume === "specificTime" && !/(?:Z|[+-]\d\d:?\d\d)$/.test(until))
    context.check("A time without a time zone is in UTC here.");
  if (resume === "specificTime")
    return { step: { type: "delay", until: context.value(parameters["dateTime"], "dateTime") } };
  const unit =
    lookUp(UNIT_SECONDS, textOf(parameters["unit"]) || (node.version >= 1.1 ? "seconds" : "hours")) ?? 1;
  const amount = parameters["amount"] ?? (node.version >= 1.1 ? 5 : 1);
  const seconds =
    typeof amount === "string" && amount.startsWith("=")
      ? `{{= Number(${context.script(amount, "amount")}) * ${unit} }}`
      : Number(amount) * unit;
  return { step: { type: "delay", seconds } };
}

export const waitNode: NodeKind = {
  flow: ({ parameters }) => ({ takes: "through", passes: parameters["resume"] !== "webhook" }),
  convert: wait,
};
