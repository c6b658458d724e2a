import { useState } from "react";
import { includesRole } from "../../../contract/role-order.ts";
import { useMe, useSwitchWorkspace, useWorkspace } from "../../api/accounts.ts";
import {
  changeRole,
  type Member,
  removeMember,
  type Role,
  useMembers,
  useWorkspaceMutation,
} from "../../api/workspaces.ts";
import { Ago } from "../../ui/ago.tsx";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Failure, Skeleton } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { Invitations } from "./invitations.tsx";
import { NewWorkspaceDialog } from "./new-workspace-dialog.tsx";
import { roleLabel, useMay } from "../../api/permissions.ts";
import { grantableRoles, ROLE_OPTIONS } from "./roles.ts";
import { SettingsTabs } from "./settings-tabs.tsx";
import { WorkspaceSettings } from "./workspace-settings.tsx";
import { Allowed } from "../../ui/allowed.tsx";

/** The members of the workspace, their roles and the invitations. */
export function Members() {
  const { workspace } = useWorkspace();
  return (
    <Screen title="Settings">
      <div className="page">
        <SettingsTabs />
        {workspace === undefined ? (
          <Skeleton rows={4} />
        ) : workspace.kind === "personal" ? (
          <PersonalWorkspace />
        ) : (
          <>
            <MemberTable workspaceId={workspace.id} role={workspace.role} />
            <Allowed to="createInvitation">
              <Invitations workspaceId={workspace.id} role={workspace.role} />
            </Allowed>
            <WorkspaceSettings key={workspace.id} workspace={workspace} />
          </>
        )}
      </div>
    </Screen>
  );
}

function PersonalWorkspace() {
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <Empty
        title="This is your personal workspace"
        action={
          <button type="button" className="btn go" onClick={() => setCreating(true)}>
            New workspace
          </button>
        }
      >
        Only you see what is in it. Create a workspace to build, run and approve together with others.
      </Empty>
      {isCreating && <NewWorkspaceDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function MemberTable({ workspaceId, role: ownRole }: { workspaceId: string; role: Role }) {
  const members = useMembers(workspaceId);
  const me = useMe().data;
  /** The role that the person has chosen for themselves, until they confirm it. */
  const [ownNext, setOwnNext] = useState<Role>();
  const change = useWorkspaceMutation(({ userId, role }: { userId: string; role: Role }) =>
    changeRole(workspaceId, userId, role),
  );
  const remove = useWorkspaceMutation((userId: string) => removeMember(workspaceId, userId));
  const may = useMay();
  const mayChange = ({ role }: Member): boolean => may("updateMember") && includesRole(ownRole, role);
  const columns: Column<Member>[] = [
    {
      title: "Member",
      cell: ({ name, email, userId }) => (
        <>
          <b>{name ?? email}</b> {userId === me?.id && <span className="chip">you</span>}
          {name !== null && <div className="small muted">{email}</div>}
        </>
      ),
    },
    {
      title: "Role",
      cell: (member) =>
        mayChange(member) ? (
          <RoleSelect
            member={member}
            ownRole={ownRole}
            disabled={change.isPending}
            onChange={(role) =>
              member.userId === me?.id ? setOwnNext(role) : change.mutate({ userId: member.userId, role })
            }
          />
        ) : (
          roleLabel(member.role)
        ),
    },
    { title: "Joined", wideOnly: true, muted: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (member) =>
        mayChange(member) &&
        member.userId !== me?.id && (
          <ConfirmButton
            className="btn tiny danger"
            question={`Remove ${member.name ?? member.email}?`}
            consequence="They lose access at once. Their workflows stay; their API keys and connected apps of this workspace end."
            confirm="Remove member"
            onConfirm={() => remove.mutateAsync(member.userId)}
          >
            Remove
          </ConfirmButton>
        ),
    },
  ];
  return (
    <section className="stack" aria-label="Members">
      <h2>Members</h2>
      {change.error !== null && <Failure error={change.error} />}
      <RecordTable
        list={members}
        columns={columns}
        keyOf={({ userId }) => userId}
        empty={<NoLongerMember />}
      />
      <details className="small">
        <summary>What each role may do</summary>
        <dl className="role-list">
          {ROLE_OPTIONS.map(({ value, label, about }) => (
            <div key={value}>
              <dt>{label}</dt>
              <dd>{about}</dd>
            </div>
          ))}
        </dl>
      </details>
      {ownNext !== undefined && me !== undefined && (
        <Dialog
          title={`Change your own role to ${roleLabel(ownNext)}?`}
          onClose={() => setOwnNext(undefined)}
        >
          <p>
            You lose what your role allows at once. Only another {roleLabel(ownRole).toLowerCase()} can give
            it back.
          </p>
          <div className="actions">
            <button type="button" className="btn" onClick={() => setOwnNext(undefined)}>
              Cancel
            </button>
            <button
              type="button"
              className="btn danger"
              onClick={() => {
                change.mutate({ userId: me.id, role: ownNext });
                setOwnNext(undefined);
              }}
            >
              Change role
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}

interface RoleSelectProps {
  member: Member;
  ownRole: Role;
  disabled: boolean;
  onChange: (role: Role) => void;
}

function RoleSelect({ member: { name, email, role }, ownRole, disabled, onChange }: RoleSelectProps) {
  return (
    <select
      className="in"
      aria-label={`Role of ${name ?? email}`}
      value={role}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value as Role)}
    >
      {grantableRoles(ownRole).map(({ value, label, about }) => (
        <option key={value} value={value} title={about}>
          {label}
        </option>
      ))}
    </select>
  );
}

function NoLongerMember() {
  const switchTo = useSwitchWorkspace();
  return (
    <Empty
      title="You are no longer a member"
      action={
        <button type="button" className="btn" onClick={() => void switchTo(null)}>
          Open your personal workspace
        </button>
      }
    >
      Someone has removed you from this workspace.
    </Empty>
  );
}
