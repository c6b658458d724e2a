import { pathText, scriptOf } from "../../data/data.ts";
import type { NodeFlow } from "../../plan/node-flow.ts";
import { at, entriesAt, textOf } from "../../source/parameters.ts";
import type { SourceNode } from "../../source/source.ts";
import type { Converted, NodeKind, Tools } from "../tools.ts";

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
  if (textOf(at(parameters, "options", "clashHandling", "values", "resolveClash")) !== "")
    tools.check("Where both inputs have a field, that of the second is kept here.");
  const isBySide = lists.length === 2 && lists.every(({ shape }) => shape === "list");
  if (/position|index/i.test(combine + mode) || /all|multiplex/i.test(combine)) {
    if (lists.every(({ shape }) => shape === "one") && lists.length > 0) {
      const parts = lists.map((data) => `...${scriptOf(data)}`);
      return { step: { type: "transform", template: [`{{= ({ ${parts.join(", ")} }) }}`] } };
    }
    if (isBySide && !/all|multiplex/i.test(combine)) {
      if (at(parameters, "options", "includeUnpaired") !== true)
        tools.check("Items without a partner are kept here. n8n drops them.");
      return joined(tools, { mode: "position" });
    }
    tools.check("All combinations of two lists: check the code.");
    return { step: { type: "transform", template: `{{= ${combinations(tools)} }}` } };
  }
  if (
    mode === "combine" ||
    mode === "mergeByKey" ||
    mode === "keepKeyMatches" ||
    mode === "removeKeyMatches"
  ) {
    const { by, withBy } = matchedFields(parameters);
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
    if (by.length === 0) return { step: undefined };
    if (["input1", "input2"].includes(textOf(parameters["outputDataFrom"])))
      tools.check("Items have the fields of both inputs here.");
    return joined(tools, { mode: join, by, withBy });
  }
  if (isBySide && node.version >= 1) return joined(tools, { mode: "append" });
  return { step: { type: "transform", template: `{{= ${tools.itemsScript()} }}` } };
}

function matchedFields(parameters: Tools["parameters"]): { by: string[]; withBy: string[] } {
  const pairs = entriesAt(parameters, "mergeByFields", "values").map(({ field1, field2 }) => [
    textOf(field1),
    textOf(field2) || textOf(field1),
  ]);
  const older = textOf(parameters["propertyName1"]);
  if (pairs.length === 0 && older !== "") pairs.push([older, textOf(parameters["propertyName2"]) || older]);
  const simple = textOf(parameters["fieldsToMatchString"]).split(",");
  for (const name of simple) if (pairs.length < 100) pairs.push([name.trim(), name.trim()]);
  const found = pairs.filter(([name = ""]) => name !== "");
  return { by: found.map(([name = ""]) => name), withBy: found.map(([, name = ""]) => name) };
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

/** Choosing a branch gives what that branch has; everything else a list. */
function mergeFlow({ parameters }: SourceNode): Partial<NodeFlow> {
  const isChoice = ["chooseBranch", "wait", "passThrough"].includes(textOf(parameters["mode"]));
  return { takes: "all", gives: isChoice ? "one" : "list" };
}

export const mergeNode: NodeKind = { flow: mergeFlow, convert: merge };
