import { useCallback, useMemo, useState } from "react";
import type { Problem, Step } from "../../../../contract/graph.ts";
import { iterationPrefix } from "../../../../contract/step-path.ts";
import { useFailedItem, useLoopResults } from "../../../api/loop-results.ts";
import type { StepResult, Workflow } from "../../../api/types.ts";
import type { Draft } from "../../../flow/draft.ts";
import { firstItem } from "../../../flow/loop-sample.ts";
import { nestedStepIds } from "../../../flow/inner-steps.ts";
import type { KnownResults } from "../../../flow/known-results.ts";
import type { StepProgress } from "../../../flow/run-progress.ts";
import { editScope, locate, type Located, loopsAround, nodeIdIn, type Scope } from "../../../flow/scopes.ts";
import { stepsBefore } from "../../../flow/step-order.ts";
import { type ScopeData, type ScopeVariable, type StepScope, stepScope } from "../../../flow/step-scope.ts";
import type { Progress } from "../../canvas/flow-elements.ts";
import { useSamples } from "../apps/use-samples.ts";
import type { Edit } from "../use-draft.ts";

/** Everything the panel shows of one step, inside a loop or outside. */
export interface StepData {
  /** Changes with the step, but not with its name: a form keyed by the name would lose the focus when it is renamed. */
  key: string;
  step: Step;
  /** The graph that the step is in: the draft, or the graph inside the innermost loop. */
  graph: Draft;
  /** The node id of the loop that the step is in. */
  within: Scope;
  /** The loops around the step, outermost first, with their node ids. */
  loops: readonly { loop: Step; nodeId: string }[];
  /** Edits `graph`. */
  edit: Edit;
  problems: readonly Problem[];
  scope: StepScope;
  result: StepResult | undefined;
  /** What the step usually returns, while it has no result. */
  sample: unknown;
  /** The run of the result, and the path of the step in it. */
  taskId: string | undefined;
  path: string;
  live: StepProgress | undefined;
  /** The run whose progress is shown. */
  runId: string | undefined;
  /** The item of the loop that is looked at. */
  item: LoopItem | undefined;
}

export interface LoopItem {
  index: number;
  count: number;
  onIndex: (index: number) => void;
}

interface StepDataSource {
  workflow: Workflow;
  draft: Draft;
  edit: Edit;
  problems: readonly Problem[];
  known: KnownResults;
  live: Progress;
  liveRunId: string | undefined;
  variables: readonly ScopeVariable[] | undefined;
}

/** Undefined when the draft has no such step. */
export function useStepData(nodeId: string, source: StepDataSource): StepData | undefined {
  const { workflow, draft, known, variables, edit: editDraft } = source;
  const located = useMemo(() => locate(draft, nodeId), [draft, nodeId]);
  const loops = useMemo(() => loopPath(draft, nodeId), [draft, nodeId]);
  const loopItem = useLoopItem(located, loops, known);
  const { item, itemValue, results } = loopItem;
  const within = located?.scope;
  const samples = useSamples(draft);
  const edit = useCallback<Edit>(
    (change, tag) => editDraft((now) => editScope(now, within, change), tag),
    [editDraft, within],
  );
  const itemIndex = item?.index;
  const scope = useMemo(() => {
    const values: ScopeData = {
      input: known.input,
      hasRun: known.hasRun,
      outputs: new Map([
        ...known.outputs,
        ...[...results].map(([id, result]) => [id, result.output] as const),
      ]),
      samples,
      variables,
      workflow: { id: workflow.id, name: draft.name },
    };
    const current =
      itemIndex === undefined ? firstItem(draft, nodeId, values) : { value: itemValue, index: itemIndex };
    return stepScope(draft, nodeId, { ...values, item: current });
  }, [draft, nodeId, known, results, samples, itemIndex, itemValue, variables, workflow.id]);
  if (located === undefined) return undefined;
  const { step, graph } = located;
  const nested = nestedStepIds(step);
  const isInLoop = loops.length > 0;
  return {
    key: nodeIdIn(within, String(graph.steps.indexOf(step))),
    step,
    graph,
    within,
    loops,
    edit,
    scope,
    item,
    problems: source.problems.filter(
      (problem) =>
        problem.stepId === step.stepId || (problem.stepId !== undefined && nested.has(problem.stepId)),
    ),
    result: isInLoop ? results.get(step.stepId) : known.results.get(step.stepId),
    sample: samples.get(step.stepId),
    taskId: isInLoop ? loopItem.taskId : known.taskIds.get(step.stepId),
    path: loopItem.path ?? step.stepId,
    live: source.live.get(nodeId),
    runId: source.liveRunId,
  };
}

function loopPath(draft: Draft, nodeId: string): StepData["loops"] {
  let path: Scope;
  return loopsAround(draft, nodeId)
    .toReversed()
    .map(({ loop }) => {
      path = nodeIdIn(path, loop.stepId);
      return { loop, nodeId: path };
    });
}

const noResults: ReadonlyMap<string, StepResult> = new Map();

/** Results inside a loop are read for one item at a time: a loop may have ten thousand. */
function useLoopItem(located: Located | undefined, loops: StepData["loops"], known: KnownResults) {
  const [chosen, setChosen] = useState<number>();
  // Items of nested loops belong to an item of the outer one; only the outermost loop is paged.
  const loop = loops.length === 1 ? loops[0]?.loop : undefined;
  const loopResult = loop === undefined ? undefined : known.results.get(loop.stepId);
  const items = (loopResult?.input as { items?: unknown } | null | undefined)?.items;
  const count = Array.isArray(items) ? items.length : 0;
  const taskId = loop === undefined ? undefined : known.taskIds.get(loop.stepId);
  const failed = useFailedItem(taskId, loopResult);
  const index = Math.min(chosen ?? failed ?? 0, Math.max(count - 1, 0));
  const steps =
    located === undefined || loop === undefined || count === 0
      ? []
      : [located.step, ...beforeIn(located.graph, located.step.stepId)];
  const prefix = loop === undefined ? "" : iterationPrefix(loop.stepId, index);
  const results = useLoopResults(
    taskId,
    steps.map(({ stepId, type }) => ({ stepId, type, path: `${prefix}${stepId}` })),
  );
  return {
    item: count === 0 ? undefined : { index, count, onIndex: setChosen },
    itemValue: count === 0 ? undefined : (items as unknown[])[index],
    taskId,
    path: loop === undefined || located === undefined ? undefined : `${prefix}${located.step.stepId}`,
    results: loop === undefined ? noResults : results,
  };
}

function beforeIn(graph: Draft, stepId: string): Step[] {
  return stepsBefore(graph, stepId).flatMap((id) => graph.steps.find((step) => step.stepId === id) ?? []);
}
