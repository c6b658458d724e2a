import { at, entriesAt, numberOf, textOf } from "../../source/parameters.ts";
import { comparisonsScript, conditionFields, readComparisons } from "../conditions.ts";
import type { Converted, NodeKind, Tools } from "../tools.ts";

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

const flow: NodeKind["flow"] = () => ({ takes: "item", passes: true });

export const branchNodes: Readonly<Record<string, NodeKind>> = {
  if: { flow, convert: condition },
  filter: { flow, convert: condition },
  switch: { flow, convert: switchBy },
};
