import type { Session } from "../../api/sessions.ts";
import type { Team } from "../../api/teams.ts";
import { Prose } from "../../ui/prose.tsx";
import { Invitation } from "./invitation.tsx";

const STOPPED: Partial<Record<NonNullable<Session["result"]>["stoppedBy"], string>> = {
  turn_limit: "Stopped at the limit of turns. Say something, and they go on.",
  token_limit: "Stopped at the limit of tokens.",
  time_limit: "Closed because nobody said anything for long.",
};

/** What came out of it, and how an agent from outside gets in. */
export function RoomOutcome({ session, team }: { session: Session | undefined; team: Team | undefined }) {
  const stopped = session?.result == null ? undefined : STOPPED[session.result.stoppedBy];
  return (
    <aside className="room-right" aria-label="Result and invitation">
      {session?.result != null && (
        <div className="stack tight">
          <div className="caps">Result</div>
          <div className="card flat pad small pre">
            <Prose text={showOutput(session.result.output)} />
          </div>
          {stopped !== undefined && <p className="small muted">{stopped}</p>}
        </div>
      )}
      {session?.error != null && <div className="notice bad">{session.error.message}</div>}
      <div className="caps">Invite an outside agent</div>
      {team !== undefined && session !== undefined && <Invitation team={team} sessionId={session.id} />}
    </aside>
  );
}

function showOutput(output: unknown): string {
  return typeof output === "string" ? output : (JSON.stringify(output, null, 2) ?? "");
}
