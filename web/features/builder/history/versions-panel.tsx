import { X } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { messageOf } from "../../../api/api-error.ts";
import type { VersionHead } from "../../../api/types.ts";
import { readVersion, useVersionPages } from "../../../api/workflows.ts";
import { type Draft, draftOf } from "../../../flow/draft.ts";
import { Ago } from "../../../ui/ago.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ShowMore } from "../../../ui/record-list.tsx";
import { Loaded } from "../../../ui/states.tsx";
import { shortDateTime } from "../../../ui/time.ts";
import { showToast } from "../../../ui/toasts.tsx";
import { countOf } from "../publish/count-of.ts";
import { isPublished } from "../publish/is-published.ts";
import type { BuilderState, Comparison } from "../use-builder.ts";
import "./versions.css";
import { Allowed } from "../../../ui/allowed.tsx";
import { sideLabel } from "./compared-versions.tsx";
import { VersionNote } from "./version-note.tsx";

/** The draft and the published versions: name one, compare it with the one before, or restore it as the draft. */
export function VersionsPanel({ builder }: { builder: BuilderState }) {
  const { workflow, autosave, changes, closePanel } = builder;
  const versions = useVersionPages(workflow.id);
  const { saved, state } = autosave;
  const hasDraft = saved.revision !== null || state.kind !== "saved";
  function close(): void {
    builder.compare(undefined);
    closePanel();
  }
  return (
    <aside className="float versions-panel" aria-label="Versions">
      <header>
        <h2 className="grow">Versions</h2>
        <button type="button" className="btn ghost icon" aria-label="Close versions" onClick={close}>
          <X size={16} />
        </button>
      </header>
      <ol className="plain-list" aria-label="Versions">
        {hasDraft && (
          <li
            className={
              builder.comparison === undefined || builder.comparison.to === "draft" ? "version on" : "version"
            }
          >
            <div>
              <b>Draft</b> <span className="chip wait dot">{countOf(changes.length, "change")}</span>
            </div>
            <span className="xs muted">{state.kind === "saved" ? "Saved" : "Saving …"}</span>
            {isPublished(workflow) && (
              <div className="row">
                <CompareButton comparison={{ from: workflow.version, to: "draft" }} builder={builder} />
              </div>
            )}
          </li>
        )}
        <Loaded query={versions}>
          {(list) =>
            list.length === 0 ? (
              <li className="version small muted">
                Each publish adds a version here, with who published it and when.
              </li>
            ) : (
              list.map((entry, index) => (
                <Version
                  key={entry.version}
                  entry={entry}
                  previous={list[index + 1]?.version}
                  builder={builder}
                />
              ))
            )
          }
        </Loaded>
      </ol>
      <ShowMore list={versions} />
    </aside>
  );
}

interface CompareButtonProps {
  comparison: Comparison;
  builder: BuilderState;
}

/** Pressed while the canvas shows this comparison. */
function CompareButton({ comparison: { from, to }, builder }: CompareButtonProps) {
  const { comparison, compare } = builder;
  const isShown = comparison?.from === from && comparison.to === to;
  return (
    <button
      type="button"
      className="btn tiny"
      aria-label={`Compare with ${sideLabel(from)}: ${sideLabel(to)}`}
      aria-pressed={isShown}
      onClick={() => compare(isShown ? undefined : { from, to })}
    >
      Compare with {sideLabel(from)}
    </button>
  );
}

interface VersionProps {
  entry: VersionHead;
  /** The version before it, which it changed. */
  previous: number | undefined;
  builder: BuilderState;
}

function Version({ entry, previous, builder }: VersionProps) {
  const { workflow, changes, history, comparison } = builder;
  const [restoring, setRestoring] = useState<Draft>();
  const title = `v${entry.version}`;
  const isCompared = comparison?.from === entry.version || comparison?.to === entry.version;
  const isLive = entry.version === workflow.version;
  async function load(then: (content: Draft) => void): Promise<void> {
    try {
      then(draftOf(await readVersion(workflow.id, entry.version)));
    } catch (error) {
      showToast(messageOf(error));
    }
  }
  function restore(content: Draft): void {
    // An edit like any other: undo brings the draft back.
    history.edit(() => content);
    builder.compare(undefined);
    builder.closePanel();
    showToast(`${title} is the draft now. Publish it to make it live.`);
  }
  return (
    <li className={isCompared ? "version compared" : "version"}>
      <div>
        <b>{title}</b> {isLive && <span className="chip ok dot">Live</span>}
      </div>
      <VersionNote workflowId={workflow.id} entry={entry} />
      <span className="xs muted">
        {entry.createdByName ?? "Deleted account"} ·{" "}
        <time title={shortDateTime(entry.createdAt)}>
          <Ago at={entry.createdAt} />
        </time>{" "}
        ·{" "}
        {entry.runs === 0 ? (
          "0 runs"
        ) : (
          <Link href={`/runs?workflowId=${workflow.id}&version=${entry.version}`}>
            {countOf(entry.runs ?? 0, "run")}
          </Link>
        )}
      </span>
      <div className="row">
        {previous !== undefined && (
          <CompareButton comparison={{ from: previous, to: entry.version }} builder={builder} />
        )}
        <Allowed to="saveDraft">
          <button
            type="button"
            className="btn tiny"
            aria-label={`Restore as draft: ${title}`}
            onClick={() =>
              void load((content) => (changes.length === 0 ? restore(content) : setRestoring(content)))
            }
          >
            Restore as draft
          </button>
        </Allowed>
      </div>
      {restoring !== undefined && (
        <Dialog title={`Replace the draft with ${title}?`} onClose={() => setRestoring(undefined)}>
          <p>
            {countOf(changes.length, "unpublished change")} will be replaced. v{workflow.version} stays live.
          </p>
          <div className="actions">
            <button type="button" className="btn" onClick={() => setRestoring(undefined)}>
              Cancel
            </button>
            <button type="button" className="btn danger" onClick={() => restore(restoring)}>
              Replace draft
            </button>
          </div>
        </Dialog>
      )}
    </li>
  );
}
