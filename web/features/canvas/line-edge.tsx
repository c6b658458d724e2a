import { BaseEdge, type Edge, type EdgeProps, getSmoothStepPath, useStore } from "@xyflow/react";
import { memo } from "react";
import type { Place } from "../../flow/add-step.ts";
import type { Point } from "../../flow/draft.ts";
import { insertPoint, labelPoint, linePath } from "../../flow/line-path.ts";
import { middleOf, useCanvasActions } from "./canvas-actions.ts";
import { TEXT_MIN_ZOOM } from "./canvas-viewport.ts";

export interface LineData extends Record<string, unknown> {
  points: readonly Point[];
  label: string | undefined;
  /** "3 items", after a run. */
  count: string | undefined;
  place: Place;
  /** Names the button: "between A and B". */
  between: string;
}
export type LineFlowEdge = Edge<LineData, "line">;

/** A line at right angles around the steps, with the word of its branch and a button that inserts a step. */
export const LineEdge = memo(function LineEdge(props: EdgeProps<LineFlowEdge>) {
  const { data, markerEnd = "" } = props;
  const isTiny = useStore(({ transform }) => transform[2] < TEXT_MIN_ZOOM);
  const actions = useCanvasActions();
  const points = data?.points ?? [];
  if (data === undefined || hasMoved(props, points))
    return <BaseEdge path={getSmoothStepPath({ ...props, borderRadius: 10 })[0]} markerEnd={markerEnd} />;
  const { label, count, place } = data;
  const start = points[0]!;
  const isHot = actions?.adding !== undefined && isSamePlace(actions.adding, place);
  const plus = insertPoint(points);
  return (
    <>
      <BaseEdge path={linePath(points)} markerEnd={markerEnd} interactionWidth={14} />
      {!isTiny && (
        <>
          {Math.abs(start.x - props.sourceX) > 1 && (
            <circle className="line-start" cx={start.x} cy={start.y} r={4} />
          )}
          {(label ?? count) !== undefined && (
            <LineLabel at={labelPoint(points)} text={label ?? count ?? ""} isBare={label === undefined} />
          )}
          {actions !== undefined && (
            <g
              role="button"
              tabIndex={-1}
              aria-label={`Insert step ${data.between}`}
              className={isHot ? "line-plus hot" : "line-plus"}
              transform={`translate(${plus.x} ${plus.y})`}
              onClick={(event) => {
                event.stopPropagation();
                actions.add(place, middleOf(event.currentTarget));
              }}
            >
              <circle r={isHot ? 11 : 9} />
              <path d="M-4 0H4M0 -4V4" />
            </g>
          )}
        </>
      )}
    </>
  );
});

const CHARACTER_WIDTH = 6.6;

/** The width is estimated: measuring every label costs a layout of the page. */
function LineLabel({ at, text, isBare }: { at: Point; text: string; isBare: boolean }) {
  const shown = text.length > 18 ? `${text.slice(0, 17)}…` : text;
  const width = shown.length * CHARACTER_WIDTH + 14;
  return (
    <g className={isBare ? "line-label bare" : "line-label"} transform={`translate(${at.x} ${at.y})`}>
      <rect x={-width / 2} y={-9} width={width} height={18} rx={9} />
      <text dy="0.34em">{shown}</text>
    </g>
  );
}

/** While a step is dragged, its lines follow it by the default path; the end of the drag routes them again. */
function hasMoved({ sourceY, targetX, targetY }: EdgeProps<LineFlowEdge>, points: readonly Point[]): boolean {
  const [start, end] = [points[0], points.at(-1)];
  if (start === undefined || end === undefined) return true;
  return Math.abs(start.y - sourceY) > 6 || Math.abs(end.x - targetX) > 6 || Math.abs(end.y - targetY) > 6;
}

function isSamePlace(a: Place, b: Place): boolean {
  if (a.kind === "line" && b.kind === "line") return a.lineId === b.lineId;
  return a.kind === "before" && b.kind === "before" && a.nodeId === b.nodeId;
}
