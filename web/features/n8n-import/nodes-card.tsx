import { Suspense, useState } from "react";
import type { Graph } from "../../api/types.ts";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { Segments } from "../../ui/segments.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { type ConnectionName, NodeTable } from "./node-table.tsx";
import type { Review } from "./use-review.ts";

const ReadOnlyCanvas = lazyComponent(() => import("../canvas/read-only-canvas.tsx"), "ReadOnlyCanvas");

interface NodesCardProps {
  review: Review;
  graph: Graph;
  connectionName: ConnectionName;
}

/** The nodes as a list or on the canvas of the draft. */
export function NodesCard({ review, graph, connectionName }: NodesCardProps) {
  const [view, setView] = useState<"list" | "canvas">("list");
  const { nodes, shown, targets, checked, filter, setFilter, counts, node, open } = review;
  return (
    <section className="card n8n-nodes" aria-label="Nodes">
      <header className="row wrap">
        {view === "list" && (
          <Segments
            label="Show nodes"
            value={filter}
            onChange={setFilter}
            options={[
              { value: "all", label: `All ${nodes.length}` },
              { value: "check", label: `To check ${counts.check}` },
              { value: "unsupported", label: `Not supported ${counts.unsupported}` },
            ]}
          />
        )}
        <span className="grow" />
        <Segments
          label="View"
          value={view}
          onChange={setView}
          options={[
            { value: "list", label: "List" },
            { value: "canvas", label: "Canvas" },
          ]}
        />
      </header>
      {view === "list" ? (
        <NodeTable
          key={filter}
          nodes={shown}
          targets={targets}
          checked={checked}
          selected={node?.name}
          onSelect={open}
          connectionName={connectionName}
          isWhole={filter === "all"}
        />
      ) : (
        <div className="n8n-canvas">
          <Suspense fallback={<Skeleton />}>
            <ReadOnlyCanvas
              graph={graph}
              label="Draft"
              selected={node === undefined ? undefined : targets.placeOf(node)}
              onSelect={(nodeId) => open(targets.nodeAt(nodeId) ?? null)}
            />
          </Suspense>
        </div>
      )}
    </section>
  );
}
