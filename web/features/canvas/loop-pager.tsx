import { useReactFlow } from "@xyflow/react";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useState } from "react";
import { useLoopItems } from "../../api/tasks.ts";
import { type RunItems, useRunItems } from "./run-items.ts";

/**
 * Pages through the items of a loop, from the one that failed; the steps inside show what they did with the item.
 */
export function LoopPager({ id, title }: { id: string; title: string }) {
  const run = useRunItems();
  const flow = useReactFlow();
  const path = run === undefined ? undefined : pathOf(id, flow.getNode(id)?.parentId, run);
  return run === undefined || path === undefined ? null : (
    <Pager key={`${run.taskId} ${path}`} id={id} title={title} run={run} path={path} />
  );
}

/** Inside another loop, the path names the item that the outer loop shows. */
function pathOf(id: string, parentId: string | undefined, { shown }: RunItems): string | undefined {
  if (parentId === undefined) return id;
  const outer = shown.get(parentId);
  return outer === undefined ? undefined : `${outer.path}[${outer.index}]/${id.slice(parentId.length + 1)}`;
}

function Pager({ id, title, run, path }: { id: string; title: string; run: RunItems; path: string }) {
  const [chosen, setChosen] = useState<number>();
  const { items, total, hasMore, loadMore } = useLoopItems(run.taskId, path, {
    isLive: run.isLive,
    onlyProblems: false,
  });
  const failed = items.findIndex(({ status }) => status === "failed");
  const index = chosen ?? Math.max(0, failed);
  const item = items[index];
  const { show } = run;
  useEffect(() => {
    if (item !== undefined) show(id, { index, path, steps: item.steps });
  }, [id, index, path, item, show]);
  if (total === 0) return null;
  return (
    <span className="loop-pager nodrag nopan">
      <span aria-live="polite">
        Item {index + 1} of {total}
      </span>
      <button
        type="button"
        aria-label={`Previous item of ${title}`}
        disabled={index === 0}
        onClick={(event) => {
          event.stopPropagation();
          setChosen(index - 1);
        }}
      >
        <ChevronLeft size={13} aria-hidden />
      </button>
      <button
        type="button"
        aria-label={`Next item of ${title}`}
        disabled={index >= total - 1}
        onClick={(event) => {
          event.stopPropagation();
          if (index + 1 >= items.length && hasMore) loadMore();
          setChosen(index + 1);
        }}
      >
        <ChevronRight size={13} aria-hidden />
      </button>
    </span>
  );
}
