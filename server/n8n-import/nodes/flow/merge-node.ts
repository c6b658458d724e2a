import { pathText, scriptOf } from "../../data/data.ts";
import type { NodeFlow } from "../../plan/node-flow.ts";
import { entriesAt, textOf } from "../../source/parameters.ts";
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

/** Choosing a branch gives what that branch has; everything else a list. */
function mergeFlow({ parameters }: SourceNode): Partial<NodeFlow> {
  const isChoice = ["chooseBranch", "wait", "passThrough"].includes(textOf(parameters["mode"]));
  return { takes: "all", gives: isChoice ? "one" : "list" };
}

export const mergeNode: NodeKind = { flow: mergeFlow, convert: merge };
