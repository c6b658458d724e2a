import { useMutation } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { useVersionPages } from "../../../api/workflows.ts";
import { ConfirmButton } from "../../../ui/confirm-button.tsx";
import { isMac } from "../../../ui/shortcuts.ts";
import { Failure } from "../../../ui/states.tsx";
import { shortDateTime } from "../../../ui/time.ts";
import type { BuilderState } from "../use-builder.ts";
import { ChangeList } from "./change-list.tsx";
import { countOf } from "./count-of.ts";
import { PublishChecks } from "./publish-checks.tsx";
import { isPublished } from "./is-published.ts";

/** Everything to know before the draft becomes live, and the button that makes it live. */
export function PublishForm({ builder }: { builder: BuilderState }) {
  const { workflow, autosave, changes, validation, publishing, closePanel } = builder;
  const [note, setNote] = useState("");
  const publish = useMutation({
    mutationFn: () => publishing.publish(note.trim()),
    onSuccess: closePanel,
  });
  const hasDraft = autosave.saved.revision !== null || autosave.state.kind !== "saved";
  const next = workflow.version + 1;
  const isFirst = !isPublished(workflow);
  const canPublish = hasDraft && validation.valid && !publish.isPending;
  function compare(): void {
    builder.compare({ from: workflow.version, to: "draft" });
    closePanel();
  }
  return (
    <form
      className="publish-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (canPublish) publish.mutate();
      }}
      onKeyDown={(event) => {
        const isShortcut =
          (event.metaKey || event.ctrlKey) && event.shiftKey && event.key.toLowerCase() === "p";
        if (!isShortcut) return;
        event.preventDefault();
        event.stopPropagation();
        if (canPublish) publish.mutate();
      }}
    >
      <header>
        <h2>{hasDraft ? `Publish as v${next}` : "Nothing to publish"}</h2>
        {hasDraft && !isFirst && (
          <button type="button" className="link-button" onClick={compare}>
            Compare with live
          </button>
        )}
      </header>
      <div className="publish-versions">
        <LiveVersion builder={builder} />
        <ArrowRight size={15} aria-label="becomes" />
        <div className="to">
          <span className="xs">After publishing</span>
          <b>{hasDraft || !isFirst ? `v${hasDraft ? next : workflow.version}` : "Not published"}</b>
          <span className="xs muted">new runs only</span>
        </div>
      </div>
      <ChangeList
        changes={changes}
        emptyText={hasDraft ? "Only the layout changed." : "No unpublished changes."}
      />
      <div className="publish-checks">
        <OutdatedNotice builder={builder} />
        <PublishChecks builder={builder} />
        <input
          className="in"
          aria-label="Version note"
          placeholder="Version note, such as “Approval from €100”"
          maxLength={500}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
        {publish.error !== null && <Failure error={publish.error} />}
      </div>
      <footer>
        {hasDraft && <DiscardButton builder={builder} />}
        {!isFirst && (
          <button
            type="button"
            className="btn ghost"
            onClick={() => void publishing.setActive(!workflow.active)}
          >
            {workflow.active ? "Pause workflow" : "Activate workflow"}
          </button>
        )}
        <span className="grow" />
        <button type="submit" className="btn go" disabled={!canPublish}>
          Publish {hasDraft ? `v${next}` : ""}{" "}
          <kbd className="wide-only">{isMac ? "⌘⇧P" : "Ctrl Shift P"}</kbd>
        </button>
      </footer>
    </form>
  );
}

function LiveVersion({ builder: { workflow } }: { builder: BuilderState }) {
  const versions = useVersionPages(workflow.id).data;
  const live = versions?.find(({ version }) => version === workflow.version);
  return (
    <div>
      <span className="xs muted">{isPublished(workflow) ? "Live" : "Now"}</span>
      <b>{isPublished(workflow) ? `v${workflow.version}` : "Not published"}</b>
      <span className="xs muted">
        {live === undefined || !isPublished(workflow) ? "\u00a0" : `since ${shortDateTime(live.createdAt)}`}
      </span>
    </div>
  );
}

function OutdatedNotice({ builder: { workflow, autosave, publishing } }: { builder: BuilderState }) {
  if (autosave.saved.baseVersion === workflow.version) return null;
  return (
    <div className="notice wait">
      <span className="grow">v{workflow.version} was published after this draft was begun.</span>
      <button type="button" className="btn tiny" onClick={() => void publishing.mergeLive()}>
        Merge
      </button>
    </div>
  );
}

function DiscardButton({ builder }: { builder: BuilderState }) {
  const { workflow, changes, publishing, closePanel } = builder;
  const remains = isPublished(workflow) ? `v${workflow.version} stays live.` : "Nothing is live.";
  return (
    <ConfirmButton
      className="btn ghost"
      question="Discard the draft?"
      consequence={`${countOf(changes.length, "unpublished change")} will be lost. ${remains}`}
      confirm="Discard draft"
      onConfirm={async () => {
        await publishing.discard();
        closePanel();
      }}
    >
      Discard draft
    </ConfirmButton>
  );
}
