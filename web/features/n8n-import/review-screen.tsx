import { Suspense, useMemo, useState } from "react";
import { Link, useLocation } from "wouter";
import { importN8n, type N8nPreview } from "../../api/n8n-import.ts";
import { useWorkflowMutation } from "../../api/workflows.ts";
import {
  countResults,
  matchesFilter,
  nextToCheck,
  type ReviewFilter,
  reviewOrder,
} from "../../flow/n8n-review.ts";
import { type N8nFile, n8nName } from "../../flow/n8n-import-link.ts";
import { n8nTriggerProposal } from "../../flow/trigger-proposal.ts";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { Screen } from "../../ui/screen.tsx";
import { Segments } from "../../ui/segments.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { Failure, Skeleton } from "../../ui/states.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { proposedTriggerState } from "../builder/builder-link.ts";
import { ImportStages } from "./import-stages.tsx";
import { NodeDetail } from "./node-detail.tsx";
import { type ConnectionName, NodeTable } from "./node-table.tsx";
import { ReviewSummary } from "./review-summary.tsx";
import { createTargets } from "./targets.ts";

const ReadOnlyCanvas = lazyComponent(() => import("../canvas/read-only-canvas.tsx"), "ReadOnlyCanvas");

interface ReviewScreenProps {
  file: N8nFile;
  preview: N8nPreview;
  /** Ids by the name of the node. */
  connections: Record<string, string>;
  connectionName: ConnectionName;
  connectionChoices: React.ReactNode;
}

/** Every node with its result, what needs a person first, and one of them in detail. */
export function ReviewScreen(props: ReviewScreenProps) {
  const { file, preview, connections, connectionName, connectionChoices } = props;
  const { source, triggers, workflow } = preview;
  const [name, setName] = useState(() => n8nName(file) ?? source.name);
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const [filter, setFilter] = useState<ReviewFilter>("all");
  const [view, setView] = useState<"list" | "canvas">("list");
  // Beside the list there is room for the first node; over it, a panel opens on request.
  const [opened, setOpened] = useState<string | null | undefined>(() => (isWide() ? undefined : null));
  const nodes = useMemo(() => reviewOrder(preview.nodes), [preview]);
  const targets = useMemo(() => createTargets(preview), [preview]);
  const shown = nodes.filter((node) => matchesFilter(node, filter));
  const selected = opened === undefined ? nodes[0]?.name : (opened ?? undefined);
  const node = nodes.find((one) => one.name === selected);
  const counts = countResults(nodes, checked);
  const run = useImport({ file, name, connections, checked, sourceName: source.name });

  const at = shown.findIndex((one) => one.name === selected);
  const step = (by: number) => () => {
    const next = shown[at + by];
    if (next !== undefined) setOpened(next.name);
  };
  function close(): void {
    document.querySelector<HTMLElement>('.n8n-name[aria-current="true"]')?.focus();
    setOpened(null);
  }
  useShortcuts({ j: step(1), k: step(-1), ...(!isWide() && { Escape: close }) });

  return (
    <Screen
      title="Import from n8n"
      breadcrumbs={
        <>
          <Link href="/workflows">Workflows</Link> /
        </>
      }
      center={<ImportStages stage="Review" />}
      actions={
        <>
          <Link href="/workflows" className="btn ghost wide-only">
            Cancel
          </Link>
          <button
            type="button"
            className="btn go"
            disabled={run.isPending || name.trim() === ""}
            onClick={() => run.mutate(undefined)}
          >
            Import as draft
          </button>
        </>
      }
    >
      <div className={`n8n-review${node === undefined ? "" : " with-panel"}`}>
        <div className="page">
          {run.error !== null && <Failure error={run.error} />}
          <ReviewSummary
            file={file}
            source={source}
            counts={counts}
            triggers={triggers}
            name={name}
            onName={setName}
          />
          {connectionChoices}
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
                selected={selected}
                onSelect={setOpened}
                connectionName={connectionName}
                isWhole={filter === "all"}
              />
            ) : (
              <div className="n8n-canvas">
                <Suspense fallback={<Skeleton />}>
                  <ReadOnlyCanvas
                    graph={workflow.metadata}
                    label="Draft"
                    selected={node === undefined ? undefined : targets.placeOf(node)}
                    onSelect={(nodeId) => setOpened(targets.nodeAt(nodeId) ?? null)}
                  />
                </Suspense>
              </div>
            )}
          </section>
        </div>
        {node !== undefined && (
          <NodeDetail
            node={node}
            nodes={nodes}
            targets={targets}
            checked={checked}
            connectionName={connectionName}
            onPrevious={at > 0 ? step(-1) : undefined}
            onNext={at + 1 < shown.length ? step(1) : undefined}
            onCheck={(isRight) => {
              const now = new Set(checked);
              if (isRight) now.add(node.name);
              else now.delete(node.name);
              setChecked(now);
              if (isRight) setOpened(nextToCheck(nodes, now, node.name) ?? node.name);
            }}
            onClose={close}
          />
        )}
      </div>
    </Screen>
  );
}

/** As in n8n-import.css. */
function isWide(): boolean {
  return matchMedia("(min-width: 1101px)").matches;
}

interface ImportOptions {
  file: N8nFile;
  name: string;
  sourceName: string;
  connections: Record<string, string>;
  checked: ReadonlySet<string>;
}

/** Creates the draft and opens it, with the form of its first trigger. */
function useImport({ file, name, sourceName, connections, checked }: ImportOptions) {
  const [, navigate] = useLocation();
  const [workflow] = file.workflows;
  return useWorkflowMutation(
    async () =>
      importN8n({
        workflow: { ...workflow, nodes: workflow?.nodes ?? [] },
        connections,
        checked: [...checked],
        ...(name.trim() !== sourceName && { name: name.trim() }),
      }),
    ({ workflow: { id }, triggers, warnings }) => {
      const trigger = n8nTriggerProposal(triggers);
      // Back leads to another file, not to a second import of this one.
      navigate(`/workflows/${id}`, {
        replace: true,
        ...(trigger !== undefined && { state: proposedTriggerState(trigger) }),
      });
      showToast(describeImport(warnings.filter(({ code }) => code === "to_check").length), { forMs: 8000 });
    },
  );
}

function describeImport(toCheck: number): string {
  if (toCheck === 0) return "Imported as a draft.";
  return `Imported as a draft. ${toCheck === 1 ? "One step is" : `${toCheck} steps are`} marked “Check”.`;
}
