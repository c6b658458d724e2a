import { Check, Plus, Users } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { useSwitchWorkspace, useWorkspace } from "../../api/accounts.ts";
import { lazyComponent } from "../../ui/lazy-component.ts";

const NewWorkspaceDialog = lazyComponent(
  () => import("../settings/new-workspace-dialog.tsx"),
  "NewWorkspaceDialog",
);

/** The workspace at the head of the rail. A native popover: the menus of Radix would weigh on the first screen. */
export function WorkspaceMenu() {
  const popover = useRef<HTMLDivElement>(null);
  const [isCreating, setCreating] = useState(false);
  const { workspace, workspaces, isGone } = useWorkspace();
  const switchTo = useSwitchWorkspace();
  const [location, navigate] = useLocation();
  const close = (): void => popover.current?.hidePopover();
  useEffect(() => {
    if (isGone) void switchTo(null);
  }, [isGone, switchTo]);
  const name = workspace?.kind === "team" ? workspace.name : "Baton";
  return (
    <>
      <button type="button" className="brand" title="Workspace" popoverTarget="workspaces">
        <i />
        <span className="label ellipsis">{name}</span>
        <span className="visually-hidden">Workspace</span>
      </button>
      <div id="workspaces" popover="auto" ref={popover} className="profile below" aria-label="Workspace">
        {workspaces.map(({ id, name: title, kind, role }) => (
          <button
            key={id}
            type="button"
            className="rail-link"
            aria-current={id === workspace?.id}
            onClick={() => {
              close();
              if (id === workspace?.id) return;
              // The record on the screen belongs to the workspace that is left, where the builder still saves its draft.
              const list = listAbove(location);
              if (list !== undefined) navigate(list);
              setTimeout(() => void switchTo(kind === "personal" ? null : id));
            }}
          >
            <span className="grow ellipsis">{title}</span>
            {kind === "team" && <span className="xs muted">{role}</span>}
            {id === workspace?.id && <Check size={16} aria-hidden />}
          </button>
        ))}
        <hr />
        <Link href="/settings/members" className="rail-link" onClick={close}>
          <Users size={16} aria-hidden />
          Members and roles
        </Link>
        <button
          type="button"
          className="rail-link"
          onClick={() => {
            close();
            setCreating(true);
          }}
        >
          <Plus size={16} aria-hidden />
          New workspace
        </button>
      </div>
      {isCreating && (
        <Suspense>
          <NewWorkspaceDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  );
}

/** `/workflows/wf_1` → `/workflows`; undefined on screens without a record. */
function listAbove(location: string): string | undefined {
  return /^\/(?:workflows|runs|agents|teams|templates|connections)(?=\/)/.exec(location)?.[0];
}
