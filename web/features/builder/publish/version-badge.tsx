import { Download } from "lucide-react";
import type { Draft } from "../../../flow/draft.ts";
import { saveFile } from "../../../ui/save-file.ts";
import type { BuilderState } from "../use-builder.ts";
import { countOf } from "./count-of.ts";
import { isPublished } from "./is-published.ts";
import { Allowed } from "../../../ui/allowed.tsx";

/** What triggers run, and what publishing would change. */
export function VersionBadge({ builder }: { builder: BuilderState }) {
  const { workflow, autosave } = builder;
  return (
    <>
      {isPublished(workflow) ? (
        <span className={workflow.active ? "chip ok dot" : "chip wait dot"}>
          {workflow.active ? "Live" : "Paused"} v{workflow.version}
        </span>
      ) : (
        <span className="chip">Not published</span>
      )}
      {autosave.state.kind === "unsaved" ? (
        <NotSaved reason={autosave.state.reason} draft={builder.history.draft} onRetry={autosave.save} />
      ) : (
        <DraftState builder={builder} />
      )}
    </>
  );
}

function DraftState({ builder }: { builder: BuilderState }) {
  const { autosave, changes, openPanel } = builder;
  const { kind } = autosave.state;
  const isDraft = autosave.saved.revision !== null || kind !== "saved";
  const isSaving = kind === "dirty" || kind === "saving";
  const what = changes.length === 0 ? "layout" : countOf(changes.length, "change");
  return (
    <span className="draft-state small" role="status" data-save={kind}>
      {isDraft && (
        <Allowed to="publishDraft" otherwise={<>Draft · {what}</>}>
          <button type="button" className="link-button" onClick={() => openPanel("publish")}>
            Draft · {what}
          </button>
        </Allowed>
      )}
      <span className="muted wide-only">{isSaving ? "Saving …" : ""}</span>
    </span>
  );
}

interface NotSavedProps {
  reason: string;
  draft: Draft;
  onRetry: () => unknown;
}

/** The draft is in this browser and is retried; the download keeps it whatever happens. */
function NotSaved({ reason, draft, onRetry }: NotSavedProps) {
  const { name, description, ...metadata } = draft;
  function download(): void {
    const text = JSON.stringify({ name, description, metadata }, null, 2);
    saveFile(new Blob([text], { type: "application/json" }), "draft.json");
  }
  return (
    <span className="draft-state small" role="status" data-save="unsaved">
      <button
        type="button"
        className="chip wait dot save-note"
        title={`${reason} Your draft is stored in this browser. Click to retry now.`}
        onClick={onRetry}
      >
        Not saved, retrying
      </button>
      <button type="button" className="btn ghost tiny" onClick={download}>
        <Download size={13} /> Download
      </button>
    </span>
  );
}
