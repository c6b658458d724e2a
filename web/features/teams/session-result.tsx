import type { Session } from "../../api/sessions.ts";
import type { Team } from "../../api/teams.ts";
import { FormattedText } from "../../ui/formatted-text.tsx";
import { JsonView } from "../../ui/json-view.tsx";
import { Invitation } from "./invitation.tsx";

const STOPPED: Partial<Record<NonNullable<Session["result"]>["stoppedBy"], string>> = {
  turn_limit: "Stopped at the turn limit. Send a message to continue.",
  token_limit: "Stopped at the token limit.",
  time_limit: "Closed after a long time without messages.",
};

/** The result of a session, and how an external agent joins it. */
export function SessionResult({ session, team }: { session: Session | undefined; team: Team | undefined }) {
  const stopped = session?.result == null ? undefined : STOPPED[session.result.stoppedBy];
  return (
    <aside className="room-right" aria-label="Result and invitation">
      {session?.result != null && (
        <div className="stack tight">
          <div className="caps">Result</div>
          <div className="card flat pad small">
            <Output value={session.result.output} />
          </div>
          {stopped !== undefined && <p className="small muted">{stopped}</p>}
        </div>
      )}
      {session?.error != null && <div className="notice bad">{session.error.message}</div>}
      <div className="caps">External agents</div>
      {team !== undefined && session !== undefined && <Invitation team={team} sessionId={session.id} />}
    </aside>
  );
}

function Output({ value }: { value: unknown }) {
  return typeof value === "string" ? <FormattedText text={value} /> : <JsonView value={value ?? null} />;
}
