import { type Data, scriptOf } from "../../data/data.ts";
import type { NodeFlow } from "../../plan/node-flow.ts";
import { at, entriesAt, numberOf, textOf } from "../../source/parameters.ts";
import { keysOf } from "../list-code.ts";
import type { Converted, NodeContext, NodeKind } from "../node-context.ts";
import { type Clash, combinationsCode, type Join, joinCode, positionCode } from "./merge-code.ts";

/** What arrives at one input, as a list. */
function inputScript({ scope }: NodeContext, input: number): string {
  const data = scope.current.filter((each) => (each.input ?? 0) === input);
  const [only] = data;
  if (only === undefined) return "[]";
  if (data.length === 1 && only.shape === "list") return `(${scriptOf(only)} ?? [])`;
  return `[${data.map(scriptOf).join(", ")}].flat().filter((each) => each != null)`;
}

function inputCount({ parameters, scope }: NodeContext): number {
  const named = numberOf(parameters["numberInputs"]) ?? 2;
  return Math.min(Math.max(named, ...scope.current.map(({ input = 0 }: Data) => input + 1)), 20);
}

function clashOf({ parameters, node, check }: NodeContext, usual: Clash["prefers"]): Clash {
  const values = at(parameters, "options", "clashHandling", "values");
  const resolve = textOf(at(values, "resolveClash"));
  if (at(values, "overrideEmpty") === true) check("Empty fields replace others here.");
  return {
    prefers: resolve === "" ? usual : resolve === "preferInput1" ? "first" : "last",
    hasSuffix: resolve === "addSuffix",
    isDeep: node.version >= 2 && at(values, "mergeMode") !== "shallowMerge",
  };
}

const code = (text: string): Converted => ({ step: { type: "code", code: text } });

function merge(context: NodeContext): Converted {
  const { parameters, check, checkItems } = context;
  checkItems();
  const mode = textOf(parameters["mode"]) || "append";
  const by = textOf(parameters["combineBy"] ?? parameters["combinationMode"]) || "combineByFields";
  if (mode === "append") return append(context);
  if (mode === "chooseBranch" || mode === "passThrough" || mode === "wait") return choose(context, mode);
  if (mode === "mergeByIndex" || (mode === "combine" && /position/i.test(by)))
    return byPosition(context, mode);
  if (mode === "multiplex" || (mode === "combine" && /all|multiplex/i.test(by)))
    return code(combinationsCode(inputScript(context, 0), inputScript(context, 1), clashOf(context, "last")));
  const join = joinOf(context, mode);
  if (join === undefined) return { step: undefined };
  if (at(parameters, "options", "fuzzyCompare") === true)
    check("Numbers and texts that are written alike do not match here.");
  return code(joinCode(inputScript(context, 0), inputScript(context, 1), join));
}

function append(context: NodeContext): Converted {
  const [first, second, ...more] = context.scope.current;
  if (first?.shape === "list" && second?.shape === "list" && more.length === 0)
    return {
      step: {
        type: "data",
        operation: "merge",
        mode: "append",
        items: `{{= ${inputScript(context, first.input ?? 0)} }}`,
        with: `{{= ${inputScript(context, second.input ?? 0)} }}`,
      },
    };
  return { step: { type: "transform", template: `{{= ${context.itemsScript()} }}` } };
}

/** The items of one input, when all of them have come. */
function choose(context: NodeContext, mode: string): Converted {
  const { parameters } = context;
  const output = textOf(parameters["output"]);
  if (mode === "wait" || output === "empty") return { step: { type: "transform", template: [{}] } };
  const input = (numberOf(parameters["useDataOfInput"]) ?? (output === "input2" ? 2 : 1)) - 1;
  return { step: { type: "transform", template: `{{= ${inputScript(context, input)} }}` } };
}

function byPosition(context: NodeContext, mode: string): Converted {
  const { parameters } = context;
  const count = mode === "mergeByIndex" ? 2 : inputCount(context);
  const lists = Array.from({ length: count }, (_, input) => inputScript(context, input));
  const resolve = textOf(at(parameters, "options", "clashHandling", "values", "resolveClash"));
  const preferred = Number(/^preferInput(\d{1,2})$/.exec(resolve)?.[1] ?? count) - 1;
  const older = { inner: "min", outer: "max" } as const;
  const join = textOf(parameters["join"]);
  const length =
    mode === "mergeByIndex"
      ? join === "inner" || join === "outer"
        ? older[join]
        : "first"
      : at(parameters, "options", "includeUnpaired") === true
        ? "max"
        : "min";
  const options = {
    clash: clashOf(context, "last"),
    preferred: Math.min(preferred, count - 1),
    length,
  } as const;
  return code(positionCode(lists, options));
}

const MODES = ["keepMatches", "keepNonMatches", "keepEverything", "enrichInput1", "enrichInput2"] as const;

function joinOf(context: NodeContext, mode: string): Join | undefined {
  const { parameters, check } = context;
  const fields = matchedFields(context);
  if (fields.length === 0) return undefined;
  const older = {
    mergeByKey: ["enrichInput1", "both"],
    keepKeyMatches: ["keepMatches", "input1"],
    removeKeyMatches: ["keepNonMatches", "input1"],
  } as const;
  const found =
    mode === "mergeByKey" || mode === "keepKeyMatches" || mode === "removeKeyMatches"
      ? older[mode]
      : undefined;
  if (found !== undefined) {
    check("Of several items with one key, the first one is taken here, and 5 does not match the text 5.");
    const clash = { prefers: "last", hasSuffix: false, isDeep: false } as const;
    return { fields, mode: found[0], from: found[1], isFirstOnly: true, clash };
  }
  if (mode !== "combine") return undefined;
  const joinMode = MODES.find((one) => one === parameters["joinMode"]) ?? "keepMatches";
  const from = (["input1", "input2"] as const).find((one) => one === parameters["outputDataFrom"]);
  return {
    fields,
    mode: joinMode,
    from: from ?? "both",
    isFirstOnly: at(parameters, "options", "multipleMatches") === "first",
    clash: clashOf(context, joinMode === "enrichInput2" ? "first" : "last"),
  };
}

function matchedFields({ parameters, node }: NodeContext): Join["fields"] {
  const isNested = at(parameters, "options", "disableDotNotation") !== true;
  const isSimple = node.version >= 3 && parameters["advanced"] !== true;
  const named = isSimple ? [] : entriesAt(parameters, "mergeByFields", "values");
  const pairs = named.map(({ field1, field2 }) => [textOf(field1), textOf(field2)]);
  const older = textOf(parameters["propertyName1"]);
  if (pairs.length === 0 && older !== "") pairs.push([older, textOf(parameters["propertyName2"])]);
  if (pairs.length === 0)
    for (const name of textOf(parameters["fieldsToMatchString"]).split(","))
      pairs.push([name.trim(), name.trim()]);
  return pairs
    .slice(0, 100)
    .filter(([one = ""]) => one !== "")
    .map(([one = "", other = ""]) => [keysOf(one, isNested), keysOf(other || one, isNested)] as const);
}

/** A list, also of one item: what arrives is known only in a run. */
function mergeFlow(): Partial<NodeFlow> {
  return { takes: "all", gives: "list" };
}

export const mergeNode: NodeKind = { flow: mergeFlow, convert: merge };
