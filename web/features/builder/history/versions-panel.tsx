import { X } from "lucide-react";
import { useState } from "react";
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
import type { BuilderState } from "../use-builder.ts";
import "./versions.css";
import { Allowed } from "../../../ui/allowed.tsx";

/** The draft and the published versions: compare one with the draft, or restore it as the draft. */
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
          <li className="version on">
            <div>
              <b>Draft</b> <span className="chip wait dot">{countOf(changes.length, "change")}</span>
            </div>
            <span className="xs muted">{state.kind === "saved" ? "Saved" : "Saving …"}</span>
          </li>
        )}
        <Loaded query={versions}>
          {(list) => list.map((entry) => <Version key={entry.version} entry={entry} builder={builder} />)}
        </Loaded>
      </ol>
      <ShowMore list={versions} />
    </aside>
  );
}

function Version({ entry, builder }: { entry: VersionHead; builder: BuilderState }) {
  const { workflow, changes, history, comparison } = builder;
  const [restoring, setRestoring] = useState<Draft>();
  const title = `v${entry.version}`;
  const isCompared = comparison?.title === title;
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
      <span className={entry.note === "" ? "version-note small muted" : "version-note"}>
        {entry.note === "" ? "No note" : entry.note}
      </span>
      <span className="xs muted">
        {entry.createdByName ?? "Deleted account"} ·{" "}
        <time title={shortDateTime(entry.createdAt)}>
          <Ago at={entry.createdAt} />
        </time>{" "}
        · {countOf(entry.runs ?? 0, "run")}
      </span>
      <div className="row">
        <button
          type="button"
          className="btn tiny"
          aria-label={`Compare: ${title}`}
          aria-pressed={isCompared}
          onClick={() =>
            isCompared
              ? builder.compare(undefined)
              : void load((before) => builder.compare({ title, before }))
          }
        >
          Compare
        </button>
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
