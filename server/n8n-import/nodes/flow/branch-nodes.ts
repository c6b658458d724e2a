import { at, entriesAt, numberOf, textOf } from "../../source/parameters.ts";
import type { Comparisons } from "../comparison.ts";
import {
  comparisonsScript,
  conditionFields,
  isPlainEquality,
  plainValue,
  readComparisons,
  usualOperation,
} from "../conditions.ts";
import type { Converted, NodeContext, NodeKind } from "../node-context.ts";

function condition(context: NodeContext): Converted {
  const { parameters } = context;
  const combine = parameters["combineOperation"] ?? parameters["combineConditions"];
  const comparisons = readComparisons(
    parameters["conditions"],
    combine === "OR" ? "any" : combine,
    "conditions",
  );
  const { isOpposite, ...fields } = conditionFields(context, comparisons);
  return {
    step: { type: "condition", ...fields },
    branches: (output) => ({ condition: (output === 0) === isOpposite ? "false" : "true" }),
  };
}

/** Each rule is compared with each line: more of them would block the event loop. */
const MAX_RULES = 1000;

function switchBy(context: NodeContext): Converted {
  const { parameters, node } = context;
  if (parameters["mode"] === "expression") {
    // Version 1 leaves its default, the first output, out of the file.
    const value = context.value(parameters["output"] ?? (node.version < 2 ? 0 : ""), "output");
    return { step: { type: "switch", value }, branches: (output) => ({ caseValue: String(output) }) };
  }
  const rules =
    entriesAt(parameters, "rules", "values").length > 0
      ? entriesAt(parameters, "rules", "values")
      : entriesAt(parameters, "rules", "rules");
  if (rules.length > MAX_RULES) return { step: undefined };
  const cases = rules.map((rule, index) =>
    rule["conditions"] === undefined
      ? {
          output: outputOf(rule, index, node.version),
          match: "all" as const,
          isOlder: true,
          list: [
            {
              left: parameters["value1"],
              right: plainValue(rule["value2"]),
              type: textOf(parameters["dataType"]) || "number",
              operation:
                textOf(rule["operation"]).replace(/^=/, "") ||
                usualOperation(textOf(parameters["dataType"]) || "number"),
              field: `rules.${index}`,
            },
          ],
        }
      : { output: index, ...readComparisons(rule["conditions"], "all", `rules.${index}`) },
  );
  const [first] = cases;
  const left = first?.list[0]?.left;
  const hasOneRuleEach = new Set(cases.map(({ output }) => output)).size === cases.length;
  const isPlain =
    hasOneRuleEach &&
    cases.every(
      ({ list, ...comparisons }) =>
        list.length === 1 && list[0]?.left === left && isPlainEquality(list[0], comparisons),
    );
  if (at(parameters, "options", "allMatchingOutputs") === true)
    context.check("Only the first matching branch runs here.");
  const given = at(parameters, "options", "fallbackOutput") ?? parameters["fallbackOutput"];
  const fallback = given === "extra" ? cases.length : (numberOf(given) ?? -1);
  // An item of a rule whose output leads nowhere would take the line without a case.
  const isFallbackSafe = fallback < 0 || cases.every(({ output }) => context.isConnected(output));
  return isPlain && isFallbackSafe && first !== undefined
    ? plainSwitch(context, { cases, left, fallback })
    : scriptSwitch(context, { cases, left, fallback });
}

/** Version 1 names the output of a rule, and leaves out the first one. Version 2 has one for each rule, in their order. */
function outputOf(rule: Readonly<Record<string, unknown>>, index: number, version: number): number {
  return version < 2 ? (numberOf(rule["output"]) ?? 0) : index;
}

interface Cases {
  cases: readonly ({ output: number } & Comparisons)[];
  /** What all rules of a plain switch compare. */
  left: unknown;
  /** The output for items that no rule is true for; negative for none. */
  fallback: number;
}

/** The lines have the values that the rules compare with. */
function plainSwitch(context: NodeContext, { cases, left, fallback }: Cases): Converted {
  const valueOf = (output: number): string =>
    String(cases.find((one) => one.output === output)?.list[0]?.right ?? `output ${output}`);
  return {
    step: { type: "switch", value: context.value(left, "value") },
    branches: (output) => (output === fallback ? undefined : { caseValue: valueOf(output) }),
    cases: cases.filter(({ output }) => output !== fallback).map(({ output }) => valueOf(output)),
  };
}

/** The value is the number of the output of the first rule that is true. */
function scriptSwitch(context: NodeContext, { cases, fallback }: Cases): Converted {
  const chain = cases.map((one) => `${comparisonsScript(context, one)} ? "${one.output}" : `).join("");
  return {
    step: { type: "switch", value: `{{= ${chain}"${fallback < 0 ? "none" : fallback}" }}` },
    branches: (output) => ({ caseValue: String(output) }),
    cases: [],
  };
}

const flow: NodeKind["flow"] = () => ({ takes: "item", passes: true });

export const branchNodes: Readonly<Record<string, NodeKind>> = {
  if: { flow, convert: condition },
  filter: { flow, convert: condition },
  switch: { flow, convert: switchBy },
};
