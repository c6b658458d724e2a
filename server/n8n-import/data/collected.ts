import type { Conversion } from "../conversion.ts";
import { type Data, scriptOf } from "./data.ts";

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

  /** The items for which a condition at the end of a loop chose the line; undefined when it did not choose between items. */
  function chosenItems(loop: string, name: string, line: number): Data | undefined {
    const over = plan.loops.get(loop);
    if (over === undefined || over.node !== undefined) return undefined;
    if (scopes.representative(loop, name) !== name || !scopes.isEnd(name)) return undefined;
    const [item] = flowOf(name).passes ? arriving(name) : [];
    if (item?.loop !== loop || !isOfType(name, "condition")) return undefined;
    const wanted = converted.get(name)?.branches?.(line)?.["condition"] === "false" ? "false" : "true";
    const output = scriptOf({ path: ["steps", idOf(loop), "output"], shape: "list", exact: true });
    const outcome = `${output}?.[at]${keyOf(loop, name).map(keyScript).join("")}`;
    const list = listOf(over.over);
    return {
      path: [],
      script: `${scriptOf(list)}.filter((each, at) => ${outcome} === ${wanted})`,
      shape: "list",
      exact: list.exact,
      node: list.node,
    };
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
    if (scopes.representative(loop, name) !== name || !scopes.isEnd(name) || passes)
      return { ...output, exact: false };
    const { path = [], isExact = true } = converted.get(name)?.output ?? {};
    const keys = [...keyOf(loop, name), ...path];
    const members = scopes.membersOf(loop);
    const isBranching = members.some((member) => converted.get(member)?.branches !== undefined);
    if (keys.length === 0 && !isBranching && gives === "one") return { ...output, exact: isExact };
    // An iteration whose condition led nowhere gives the outcome of the condition.
    const each = `each${keys.map(keyScript).join("")}`;
    return {
      path: [],
      script: `${scriptOf(output)}.map((each) => ${each})${gives === "list" ? ".flat()" : ""}.filter((each) => each != null && each !== true && each !== false)`,
      shape: "list",
      exact: isExact && !members.some((member) => isOfType(member, "switch")),
      node: name,
    };
  };
}

function keyScript(key: string | number): string {
  return `?.[${JSON.stringify(key)}]`;
}
