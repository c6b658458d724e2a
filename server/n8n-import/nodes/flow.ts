import { comparisonsScript, conditionFields, readComparisons } from "../conditions.ts";
import { pathText, scriptOf } from "../data.ts";
import type { NodeFlow } from "../plan.ts";
import { at, entriesAt, locatorOf, numberOf, recordOf, type SourceNode, textOf } from "../source.ts";
import type { Converted, NodeKind, Tools } from "../tools.ts";
import { jsonValue } from "./json-value.ts";

const EACH = { takes: "item" } as const;
const THROUGH = { takes: "through", passes: true } as const;

function condition(tools: Tools): Converted {
  const { parameters } = tools;
  const combine = parameters["combineOperation"] ?? parameters["combineConditions"];
  const comparisons = readComparisons(
    parameters["conditions"],
    combine === "OR" ? "any" : combine,
    "conditions",
  );
  const { isOpposite, ...fields } = conditionFields(tools, comparisons);
  return {
    step: { type: "condition", ...fields },
    branches: (output) => ({ condition: (output === 0) === isOpposite ? "false" : "true" }),
  };
}

function switchBy(tools: Tools): Converted {
  const { parameters } = tools;
  if (parameters["mode"] === "expression") {
    const value = tools.value(parameters["output"], "output");
    return { step: { type: "switch", value }, branches: (output) => ({ caseValue: String(output) }) };
  }
  const rules =
    entriesAt(parameters, "rules", "values").length > 0
      ? entriesAt(parameters, "rules", "values")
      : entriesAt(parameters, "rules", "rules");
  const cases = rules.map((rule, index) =>
    rule["conditions"] === undefined
      ? {
          output: numberOf(rule["output"]) ?? index,
          match: "all" as const,
          list: [
            {
              left: parameters["value1"],
              right: rule["value2"],
              type: textOf(parameters["dataType"]) || "number",
              operation: textOf(rule["operation"]).replace(/^=/, "") || "equal",
              field: `rules.${index}`,
            },
          ],
        }
      : { output: index, ...readComparisons(rule["conditions"], "all", `rules.${index}`) },
  );
  const [first] = cases;
  const left = first?.list[0]?.left;
  const isPlain = cases.every(
    ({ list }) =>
      list.length === 1 &&
      ["equal", "equals"].includes(list[0]?.operation ?? "") &&
      list[0]?.left === left &&
      ["string", "number", "boolean"].includes(typeof list[0]?.right) &&
      !String(list[0]?.right).startsWith("="),
  );
  if (at(parameters, "options", "allMatchingOutputs") === true)
    tools.check("Only the first matching branch runs here.");
  const extra =
    textOf(at(parameters, "options", "fallbackOutput")) === "extra" ||
    at(parameters, "fallbackOutput") === "extra";
  const fallback = numberOf(at(parameters, "options", "fallbackOutput") ?? parameters["fallbackOutput"]);
  const isFallback = (output: number): boolean => (extra && output >= cases.length) || output === fallback;
  if (isPlain && first !== undefined) {
    const value = tools.value(left, "value");
    return {
      step: { type: "switch", value },
      branches: (output) =>
        isFallback(output)
          ? undefined
          : {
              caseValue: String(
                cases.find((one) => one.output === output)?.list[0]?.right ?? `output ${output}`,
              ),
            },
    };
  }
  const chain = cases.map((one) => `${comparisonsScript(tools, one)} ? "${one.output}" : `).join("");
  return {
    step: { type: "switch", value: `{{= ${chain}"default" }}` },
    branches: (output) => (isFallback(output) ? undefined : { caseValue: String(output) }),
  };
}

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  seconds: 1,
  minutes: 60,
  hours: 3600,
  days: 86_400,
  weeks: 604_800,
};

function wait(tools: Tools): Converted {
  const { parameters, node } = tools;
  const resume = textOf(parameters["resume"]) || "timeInterval";
  if (resume === "webhook") {
    tools.check(
      "Continues when its resume URL is called: {{task.resumeUrls.<id of this step>}} in place of $execution.resumeUrl.",
    );
    return { step: { type: "wait_event", event: "n8n.resume", key: "{{task.id}}" } };
  }
  if (resume === "form") {
    tools.check("A form in the middle of a run becomes an approval. Its fields are not imported.");
    return {
      step: { type: "approval", message: tools.text(parameters["formTitle"], "formTitle") || node.name },
    };
  }
  if (resume === "specificTime")
    return { step: { type: "delay", until: tools.value(parameters["dateTime"], "dateTime") } };
  const unit = UNIT_SECONDS[textOf(parameters["unit"]) || (node.version >= 1.1 ? "seconds" : "hours")] ?? 1;
  const amount = parameters["amount"] ?? (node.version >= 1.1 ? 5 : 1);
  const seconds =
    typeof amount === "string" && amount.startsWith("=")
      ? `{{= Number(${tools.script(amount, "amount")}) * ${unit} }}`
      : Number(amount) * unit;
  return { step: { type: "delay", seconds } };
}

function merge(tools: Tools): Converted {
  const { parameters, node, scope } = tools;
  const lists = scope.current;
  const mode = textOf(parameters["mode"]) || "append";
  const combine =
    textOf(parameters["combineBy"] ?? parameters["combinationMode"]) ||
    (mode === "combine" ? "combineByFields" : "");
  if (mode === "combineBySql") return { step: undefined };
  if (mode === "chooseBranch" || mode === "wait" || mode === "passThrough") {
    tools.check("Waits for all branches and takes the first one that has data.");
    return { step: { type: "transform", template: tools.current() } };
  }
  const isBySide = lists.length === 2 && lists.every(({ shape }) => shape === "list");
  if (/position|index/i.test(combine + mode) || /all|multiplex/i.test(combine)) {
    if (lists.every(({ shape }) => shape === "one") && lists.length > 0) {
      const parts = lists.map((data) => `...${scriptOf(data)}`);
      return { step: { type: "transform", template: [`{{= ({ ${parts.join(", ")} }) }}`] } };
    }
    if (isBySide && !/all|multiplex/i.test(combine)) return joined(tools, { mode: "position" });
    tools.check("All combinations of two lists: check the code.");
    return { step: { type: "transform", template: `{{= ${combinations(tools)} }}` } };
  }
  if (
    mode === "combine" ||
    mode === "mergeByKey" ||
    mode === "keepKeyMatches" ||
    mode === "removeKeyMatches"
  ) {
    const pair = entriesAt(parameters, "mergeByFields", "values")[0] ?? {};
    const simple = textOf(parameters["fieldsToMatchString"]).split(",")[0]?.trim() ?? "";
    const by = textOf(pair["field1"] ?? parameters["propertyName1"]) || simple;
    const withBy = textOf(pair["field2"] ?? parameters["propertyName2"]) || simple;
    const joinModes: Readonly<Record<string, string>> = {
      keepEverything: "full",
      enrichInput1: "left",
      enrichInput2: "right",
    };
    const join = joinModes[textOf(parameters["joinMode"])] ?? (mode === "mergeByKey" ? "left" : "inner");
    if (
      ["keepNonMatches", "keepNonMatchesBoth"].includes(textOf(parameters["joinMode"])) ||
      mode === "removeKeyMatches"
    )
      tools.check("Keeping only items without a partner is not supported: this keeps the matches.");
    if (by === "") return { step: undefined };
    return joined(tools, { mode: join, by: [by], withBy: [withBy || by] });
  }
  if (isBySide && node.version >= 1) return joined(tools, { mode: "append" });
  return { step: { type: "transform", template: `{{= ${tools.itemsScript()} }}` } };
}

function combinations({ scope }: Tools): string {
  const [a, b] = scope.current;
  if (a === undefined || b === undefined) return "[]";
  return `[${scriptOf(a)}].flat().flatMap((one) => [${scriptOf(b)}].flat().map((other) => ({ ...one, ...other })))`;
}

function joined({ scope }: Tools, fields: Record<string, unknown>): Converted {
  const side = (at: number): unknown => {
    const data = scope.current[at];
    return data === undefined ? [] : `{{= [${scriptOf(data)}].flat().filter((each) => each != null) }}`;
  };
  const plain = (at: number): unknown => {
    const data = scope.current[at];
    const path = data === undefined ? undefined : pathText(data);
    return path !== undefined && data?.shape === "list" ? `{{${path}}}` : side(at);
  };
  return { step: { type: "data", operation: "merge", items: plain(0), with: plain(1), ...fields } };
}

function subWorkflow(tools: Tools): Converted {
  const { parameters } = tools;
  const source = textOf(parameters["source"]);
  if (source !== "" && source !== "database") {
    tools.check(
      "The workflow inside of the node is not imported. Import it as its own workflow and choose it.",
    );
  }
  const given = recordOf(parameters["workflowId"]);
  const name = textOf(given["cachedResultName"]);
  const id = tools.text(locatorOf(parameters["workflowId"]), "workflowId") || "choose-workflow";
  tools.check(`Import ${name === "" ? "that workflow" : `“${name}”`} too, and choose it in this step.`);
  const inputs = recordOf(at(parameters, "workflowInputs", "value"));
  const isMapped = Object.keys(inputs).length > 0;
  if (at(parameters, "options", "waitForSubWorkflow") === false)
    tools.check("This step waits for the workflow to end.");
  return {
    step: {
      type: "workflow",
      workflowId: id,
      input: isMapped ? tools.value(inputs, "workflowInputs.value") : tools.current(),
    },
    output: { path: [], isExact: true },
  };
}

function respond(tools: Tools): Converted {
  const { parameters } = tools;
  const kind = textOf(parameters["respondWith"]) || "firstIncomingItem";
  const headers = Object.fromEntries(
    entriesAt(parameters, "options", "responseHeaders", "entries").map((each, index) => [
      textOf(each["name"]).toLowerCase(),
      tools.text(each["value"], `options.responseHeaders.${index}.value`),
    ]),
  );
  const status = at(parameters, "options", "responseCode") ?? (kind === "redirect" ? 302 : undefined);
  if (kind === "redirect") headers["location"] = tools.text(parameters["redirectURL"], "redirectURL");
  const body =
    kind === "noData" || kind === "redirect"
      ? undefined
      : kind === "text"
        ? tools.text(parameters["responseBody"], "responseBody")
        : kind === "json"
          ? jsonValue(tools, parameters["responseBody"], "responseBody")
          : kind === "allIncomingItems"
            ? tools.items()
            : tools.current();
  if (kind === "binary" || kind === "jwt")
    tools.check("The kind of the response is not supported; it sends JSON.");
  tools.check(
    "Turn on the custom response of the trigger, with this step as the response step. The run goes on before its caller is answered only in n8n.",
  );
  return {
    step: {
      type: "transform",
      template: {
        ...(status !== undefined && { statusCode: tools.value(status, "options.responseCode") }),
        ...(Object.keys(headers).length > 0 && { headers }),
        ...(body !== undefined && { body }),
      },
    },
  };
}

function stop(tools: Tools): Converted {
  const { parameters } = tools;
  const given =
    parameters["errorType"] === "errorObject" ? parameters["errorObject"] : parameters["errorMessage"];
  const message = tools.script(given ?? "Stopped", "errorMessage");
  return { step: { type: "code", code: `throw new Error(${message});` } };
}

/** Choosing a branch gives what that branch has; everything else a list. */
function mergeFlow({ parameters }: SourceNode): Partial<NodeFlow> {
  const isChoice = ["chooseBranch", "wait", "passThrough"].includes(textOf(parameters["mode"]));
  return { takes: "all", gives: isChoice ? "one" : "list" };
}

const passOn = (tools: Tools): Converted => ({ step: { type: "transform", template: listOrOne(tools) } });

function listOrOne(tools: Tools): unknown {
  return tools.scope.current.some(({ shape }) => shape === "list") ? tools.items() : tools.current();
}

export const flowNodes: Readonly<Record<string, NodeKind>> = {
  if: { flow: () => ({ ...EACH, passes: true }), convert: (tools) => condition(tools) },
  filter: { flow: () => ({ ...EACH, passes: true }), convert: (tools) => condition(tools) },
  switch: { flow: () => ({ ...EACH, passes: true }), convert: switchBy },
  merge: { flow: mergeFlow, convert: merge },
  wait: {
    flow: ({ parameters }) => (parameters["resume"] === "webhook" ? { takes: "through" } : THROUGH),
    convert: wait,
  },
  noOp: { flow: () => THROUGH, convert: passOn },
  executionData: { flow: () => THROUGH, convert: passOn },
  splitInBatches: {
    flow: () => ({ takes: "all", gives: "list", isLoop: true }),
    convert: (tools) => ({ step: { type: "transform", template: tools.items() } }),
  },
  executeWorkflow: {
    flow: ({ parameters }) => ({ takes: parameters["mode"] === "each" ? "item" : "all" }),
    convert: subWorkflow,
  },
  respondToWebhook: { flow: () => ({ takes: "all", passes: true }), convert: respond },
  stopAndError: { flow: () => ({ takes: "through" }), convert: stop },
};
