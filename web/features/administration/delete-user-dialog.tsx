import { useState } from "react";
import {
  type AdminUser,
  deleteUser,
  type UserDeletion,
  useAdministration,
  useAllWorkspaces,
  useUserDeletion,
} from "../../api/administration.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Failure, Loaded } from "../../ui/states.tsx";
import { showToast } from "../../ui/toasts.tsx";

const DELETE_RECORDS = "delete";

const OUTCOMES: Readonly<Record<UserDeletion["workspaces"][number]["outcome"], string>> = {
  kept: "kept by its other members",
  transferred: "transferred",
  deleted: "deleted with all records",
  needs_owner: "has no other owner: choose who gets it",
};

/** Reports what is deleted and what is transferred before anything happens. */
export function DeleteUserDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const [choice, setChoice] = useState("");
  const [search, setSearch] = useState("");
  const workspaces = useAllWorkspaces(search.trim());
  const transferTo = choice === "" || choice === DELETE_RECORDS ? undefined : choice;
  const report = useUserDeletion(user.id, transferTo === undefined ? {} : { transferTo });
  const name = user.name ?? user.email;
  const remove = useAdministration(
    () => deleteUser(user.id, transferTo === undefined ? { deleteRecords: "true" } : { transferTo }),
    () => {
      showToast(`${name} is deleted.`);
      onClose();
    },
  );
  const needsOwner =
    choice === DELETE_RECORDS &&
    report.data?.workspaces.some(({ outcome }) => outcome === "needs_owner") === true;
  const options = [
    { value: DELETE_RECORDS, label: "Delete them" },
    ...(workspaces.data ?? [])
      .filter(({ id }) => id !== user.id)
      .map((each) => ({
        value: each.id,
        label:
          each.kind === "personal" ? `Transfer to ${each.name}` : `Transfer to the workspace ${each.name}`,
      })),
  ];
  return (
    <Dialog title={`Delete ${name}?`} onClose={onClose}>
      <div className="stack">
        {(workspaces.hasMore || search !== "") && (
          <TextField
            label="Search for a user or workspace"
            type="search"
            value={search}
            onChange={setSearch}
          />
        )}
        <SelectField
          label="Records of the personal workspace"
          value={choice}
          onChange={setChoice}
          options={options}
          emptyOption="Choose what happens to them"
          hint="A transferred workspace becomes a team workspace. Ids, addresses and schedules stay."
        />
        <Loaded query={report} rows={3}>
          {(deletion) => <Report deletion={deletion} />}
        </Loaded>
        {needsOwner && (
          <div className="notice">
            A workspace would have no owner. Transfer the records, or make another member an owner.
          </div>
        )}
        {remove.error !== null && <Failure error={remove.error} />}
        <div className="actions">
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            className="btn danger"
            disabled={choice === "" || needsOwner || remove.isPending}
            onClick={() => remove.mutate(undefined)}
          >
            {transferTo === undefined ? "Delete user" : "Transfer and delete user"}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function Report({ deletion: { records, workspaces, apiKeys, connectedApps } }: { deletion: UserDeletion }) {
  const counts = Object.entries(records).filter(([, count]) => count > 0);
  return (
    <div className="stack tight small" role="status">
      <p>
        Personal workspace:{" "}
        {counts.length === 0 ? "empty" : counts.map(([kind, count]) => `${count} ${kind}`).join(", ")}
      </p>
      <ul className="admin-report">
        {workspaces.map(({ id, name, outcome }) => (
          <li key={id}>
            {name}: {OUTCOMES[outcome]}
          </li>
        ))}
      </ul>
      <p>
        {apiKeys} API keys and {connectedApps} connected apps end at once.
      </p>
    </div>
  );
}
