import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useLocation, useParams } from "wouter";
import { ApiError } from "../../api/api-error.ts";
import { useMe, useSignOut, useSwitchWorkspace } from "../../api/accounts.ts";
import { acceptInvitation, readInvitation } from "../../api/workspaces.ts";
import { Empty, Failure, Skeleton } from "../../ui/states.tsx";
import { roleLabel } from "../../api/permissions.ts";
import { AccountCard } from "./account-card.tsx";

/** Joins a workspace. Someone without a login signs in first and returns here. */
export function InvitationPage() {
  const { token } = useParams<{ token: string }>();
  const [, navigate] = useLocation();
  const me = useMe().data;
  const signOut = useSignOut();
  const switchTo = useSwitchWorkspace();
  const accept = useMutation({
    mutationFn: () => acceptInvitation(token),
    async onSuccess(id) {
      await switchTo(id);
      navigate("/", { replace: true });
    },
  });
  const invitation = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => readInvitation(token),
    // An accepted invitation exists no longer.
    enabled: accept.isIdle || accept.isError,
  });
  const shown = invitation.data;
  return (
    <AccountCard title="Invitation">
      {invitation.error instanceof ApiError && invitation.error.status === 404 ? (
        <Empty
          title="This invitation does not work"
          action={
            <Link className="btn" href="/">
              Open Baton
            </Link>
          }
        >
          It was used already, was canceled or has expired. Ask for a new one.
        </Empty>
      ) : (
        invitation.error !== null && <Failure error={invitation.error} />
      )}
      {invitation.isPending && <Skeleton rows={3} />}
      {shown !== undefined && (
        <div className="stack">
          <p>
            <b>{shown.inviterName}</b> invites you to <b>{shown.workspaceName}</b> with the role{" "}
            <b>{roleLabel(shown.role)}</b>.
          </p>
          <p className="small muted">
            You are signed in as {me?.email ?? "…"}.{" "}
            {shown.email !== null && shown.email !== me?.email && `The invitation is for ${shown.email}.`}
          </p>
          {accept.error !== null && <Failure error={accept.error} />}
          <div className="row wrap">
            <button type="button" className="btn" onClick={signOut}>
              Use another account
            </button>
            <button
              type="button"
              className="btn go"
              disabled={accept.isPending}
              onClick={() => accept.mutate()}
            >
              Join workspace
            </button>
          </div>
        </div>
      )}
    </AccountCard>
  );
}
