import type { Conversion } from "../conversion.ts";
import { keyText } from "../nodes/parameter-values.ts";
import { type Data, type FieldKeys, scriptOf } from "./data.ts";

interface Sources {
  arriving: (name: string) => Data[];
  listOf: (over: string) => Data;
}

/** What a node inside of a loop gave in all its iterations, for steps after the loop. */
export function createCollected(
  { plan, scopes, converted, flowOf, idOf }: Conversion,
  { arriving, listOf }: Sources,
) {
  const isOfType = (name: string, type: string): boolean => converted.get(name)?.step?.type === type;

  /** An iteration has one end, or an object with the outputs of its ends. */
  function keyOf(loop: string, name: string): string[] {
    return scopes.endsOf(loop).length > 1 ? [idOf(name)] : [];
  }

  /** The items for which a condition or a switch at the end of a loop chose the line; undefined when it did not choose between items. */
  function chosenItems(loop: string, name: string, line: number): Data | undefined {
    const over = plan.loops.get(loop);
    if (over === undefined || over.node !== undefined) return undefined;
    if (scopes.representative(loop, name) !== name || !scopes.isEnd(name)) return undefined;
    const [item] = flowOf(name).passes ? arriving(name) : [];
    if (item?.loop !== loop) return undefined;
    const output = scriptOf({ path: ["steps", idOf(loop), "output"], shape: "list", exact: true });
    const outcome = `${output}?.[at]${keyOf(loop, name).map(keyScript).join("")}`;
    const test = branchTest(name, line, outcome);
    if (test === undefined) return undefined;
    const list = listOf(over.over);
    return {
      path: [],
      script: `${scriptOf(list)}.filter((each, at) => ${test})`,
      shape: "list",
      exact: list.exact,
      node: list.node,
    };
  }

  /** Whether the outcome of a condition or a switch chose this line. */
  function branchTest(name: string, line: number, outcome: string): string | undefined {
    const { branches, cases = [] } = converted.get(name) ?? {};
    const branch = branches?.(line);
    if (isOfType(name, "condition"))
      return `${outcome} === ${branch?.["condition"] === "false" ? "false" : "true"}`;
    if (!isOfType(name, "switch")) return undefined;
    const text = `String(${outcome} ?? "")`;
    const chosen = branch?.["caseValue"];
    return chosen === undefined
      ? `!${JSON.stringify(cases)}.includes(${text})`
      : `${text} === ${JSON.stringify(chosen)}`;
  }

  /** The output of the step is the object that arrived, and not the outcome of a condition. */
  function isPassedOn(name: string): boolean {
    const found = arriving(name);
    const isAlone = keyOf(scopes.scopeOf(name), name).length === 0;
    return (
      isAlone && isOfType(name, "transform") && found.every(({ exact, shape }) => exact && shape === "one")
    );
  }

  return function collected(loop: string, name: string, line = 0): Data {
    const chosen = chosenItems(loop, name, line);
    if (chosen !== undefined) return chosen;
    const output: Data = {
      path: ["steps", idOf(loop), "output"],
      shape: "list",
      exact: true,
      node: name,
    };
    const { gives, passes } = flowOf(name);
    if (scopes.representative(loop, name) !== name || !scopes.isEnd(name)) return { ...output, exact: false };
    if (passes) return { ...output, exact: isPassedOn(name) };
    const { path = [], isExact: isSame = true, fields, doubtOf } = converted.get(name)?.output ?? {};
    const isExact = isSame && doubtOf === undefined;
    const keys = [...keyOf(loop, name), ...path];
    const members = scopes.membersOf(loop);
    const isBranching = members.some((member) => converted.get(member)?.branches !== undefined);
    const place = gives === "one" ? fields?.[0] : undefined;
    if (keys.length === 0 && !isBranching && place === undefined && gives === "one")
      return { ...output, exact: isExact };
    // An iteration whose condition led nowhere gives its outcome, and one whose switch did, its value.
    const hasSwitch = members.some((member) => isOfType(member, "switch"));
    const isItem = hasSwitch
      ? 'typeof each === "object" && each !== null'
      : "each != null && each !== true && each !== false";
    const each = `each${keys.map(keyScript).join("")}`;
    const wrapped = place === undefined ? "" : `.map((each) => (${wrappedIn(place, "each")}))`;
    return {
      path: [],
      script: `${scriptOf(output)}.map((each) => ${each})${gives === "list" ? ".flat()" : ""}.filter((each) => ${isItem})${wrapped}`,
      shape: "list",
      // The answer of a model is a text, as the value of a switch may be.
      exact: isExact && !(hasSwitch && place !== undefined),
      node: name,
    };
  };
}

function keyScript(key: string | number): string {
  return `?.[${JSON.stringify(key)}]`;
}

/** The value as the item that n8n has: `{ message: { content: each } }`. */
function wrappedIn(keys: FieldKeys, value: string): string {
  return keys.reduceRight<string>(
    (inner, key) => (typeof key === "number" ? `[${inner}]` : `{ ${keyText(key)}: ${inner} }`),
    value,
  );
}
