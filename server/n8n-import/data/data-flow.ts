import type { Conversion } from "../conversion.ts";
import { groupBy } from "../../lib/group-by.ts";
import { errorOutputOf } from "../plan/error-output.ts";
import { isLoopOutput } from "../plan/loop-bodies.ts";
import type { SourceLink } from "../source/source.ts";
import { dataOfTrigger } from "../triggers/trigger-data.ts";
import { createCollected } from "./collected.ts";
import { type Data, type FieldScript, scriptOf } from "./data.ts";

/** Lines that meet in one step; more have no meaning for an expression. */
const MAX_ARRIVING = 20;

export type DataFlow = ReturnType<typeof createDataFlow>;

/** Where the data of each node is. Callable for a node when those before it are converted. */
export function createDataFlow(conversion: Conversion) {
  const { steps, plan, scopes, converted, flowOf, idOf } = conversion;
  const incoming = groupBy(
    plan.links,
    ({ to }) => to,
    (link) => link,
  );
  const triggers = createTriggerData(conversion);
  const known = new Map<string, Data[]>();

  /** The data that arrives at a node, in the order of its inputs. */
  function arriving(name: string): Data[] {
    const before = known.get(name);
    if (before !== undefined) return before;
    const given = (incoming.get(name) ?? [])
      .toSorted((a, b) => a.input - b.input)
      .flatMap((link) => alongLink(link).map((data) => ({ ...data, input: link.input })))
      .slice(0, MAX_ARRIVING);
    const found = unique([...given, ...triggers.before(name)]);
    known.set(name, found);
    return found;
  }

  function alongLink({ from, to, output }: SourceLink): Data[] {
    const scope = scopes.scopeOf(to);
    const loop = plan.loops.get(scope);
    const node = steps.get(from);
    if (loop?.node === from && node !== undefined && isLoopOutput(node, output)) return [itemOf(scope)];
    const seen = scopes.representative(scope, from);
    if (seen === from && node !== undefined && output === errorOutputOf(node, converted.get(from)))
      return [errorOf(from)];
    const data = seen === from ? ofNode(from) : [collected(seen, from, output)];
    // Inside of the loop over it, a list is its item.
    const isItem = loop !== undefined && loop.node === undefined && !scopes.isInside(from, scope);
    return isItem ? [{ ...itemOf(scope), exact: data.every(({ exact }) => exact) }] : data;
  }

  /** The data of a node in the same scope. */
  function ofNode(name: string): Data[] {
    if (plan.loops.has(name)) return [ofLoop(name)];
    return flowOf(name).passes ? arriving(name) : [ofStep(name)];
  }

  function ofStep(name: string): Data {
    const {
      path = [],
      isExact = true,
      fields,
      mayBeText = false,
      itemsOf,
      file,
      doubtOf,
    } = converted.get(name)?.output ?? {};
    const { mayBeList } = converted.get(name) ?? {};
    const shape = flowOf(name).gives;
    const output = ["steps", idOf(name), "output", ...path];
    const continues = steps.get(name)?.onError === "continue";
    return {
      path: output,
      ...(itemsOf !== undefined &&
        shape === "list" && {
          path: [],
          script: itemsOf(scriptOf({ path: output, shape: "one", exact: true })),
        }),
      shape,
      mayBeList,
      ...(shape === "one" && { file, doubtOf }),
      exact: isExact && converted.get(name)?.step !== undefined,
      node: name,
      ...(fields !== undefined &&
        shape === "one" && { places: fields.map((from, at) => ({ from, to: output, isAlias: at > 0 })) }),
      ...(shape === "one" && { overrides: overridesOf(idOf(name), { mayBeText, continues }) }),
    };
  }

  /** What an error output gives: n8n adds the message to the item. */
  function errorOf(name: string): Data {
    const path = ["steps", idOf(name), "error"];
    const message = [...path, "message"];
    const places = [
      { from: ["error", "message"], to: message },
      { from: ["error"], to: message },
    ];
    return { path, shape: "one", exact: true, node: name, places };
  }

  function ofLoop(loop: string): Data {
    const last = scopes.endsOf(loop).at(-1);
    return last === undefined
      ? { path: ["steps", idOf(loop), "output"], shape: "list", exact: false, node: loop }
      : collected(loop, last);
  }

  const itemOf = (loop: string): Data => ({
    path: ["item"],
    shape: "one",
    exact: true,
    loop,
    node: plan.loops.get(loop)?.over.replace(/^each:/, ""),
  });

  /** The list that a loop of the import goes through. */
  const listOf = (over: string): Data => (plan.loops.has(over) ? ofLoop(over) : ofStep(over));

  const collected = createCollected(conversion, { arriving, listOf });
  return {
    arriving,
    ofNode,
    itemOf,
    listOf,
    collected,
    ofTrigger: triggers.of,
    hasLines: (name: string): boolean => incoming.has(name),
  };
}

/** Fields that n8n has after a text response, and after a failure that does not end the run. */
function overridesOf(
  stepId: string,
  { mayBeText, continues }: { mayBeText: boolean; continues: boolean },
): FieldScript[] {
  const output = scriptOf({ path: ["steps", stepId, "output"], shape: "one", exact: true });
  const error = scriptOf({ path: ["steps", stepId, "error", "message"], shape: "one", exact: true });
  return [
    ...(mayBeText
      ? [{ keys: ["data"], script: `(typeof ${output} === "string" ? ${output} : ${output}?.data)` }]
      : []),
    ...(continues
      ? [
          { keys: ["error"], script: `(${error} ?? ${output}?.error)` },
          { keys: ["error", "message"], script: `(${error} ?? ${output}?.error?.message)` },
        ]
      : []),
  ];
}

function createTriggerData({ source, nodes, steps, triggers }: Conversion) {
  const sources = groupBy(
    source.links.filter(({ from, to }) => triggers.has(from) && steps.has(to)),
    ({ to }) => to,
    ({ from, input }) => ({ from, input }),
  );

  function of(name: string): Data[] {
    const node = nodes.get(name);
    const trigger = triggers.get(name);
    return node === undefined || trigger === undefined ? [] : [dataOfTrigger(node, trigger)];
  }

  return {
    of,
    /** Of several triggers, those that start runs by themselves: a run by hand has their input, too. */
    before(name: string): Data[] {
      const all = sources.get(name) ?? [];
      const started = all.filter(({ from }) => triggers.get(from)?.kind !== "run");
      return (started.length > 0 ? started : all).flatMap(({ from, input }) =>
        of(from).map((data) => ({ ...data, input })),
      );
    },
  };
}

function unique(list: readonly Data[]): Data[] {
  const seen = new Map(
    list.map((data) => [
      JSON.stringify([data.script ?? data.path, data.shape, data.places?.length ?? 0, data.input]),
      data,
    ]),
  );
  return [...seen.values()];
}
