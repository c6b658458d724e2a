import { a2aWebhookUrl, type Team } from "../../api/teams.ts";
import { CopyButton } from "../../ui/copy-button.tsx";

/** The request with which an external agent posts a message to a session. */
export function Invitation({ team, sessionId }: { team: Team; sessionId?: string }) {
  const [first] = team.externalAgents;
  if (first === undefined)
    return (
      <p className="small muted">No external agents yet. Add one under “Edit”, and it can post messages.</p>
    );
  const message = {
    sessionId: sessionId ?? "<session>",
    from: { id: first.name, type: "external" },
    to: { id: "broadcast", type: "internal" },
    type: "user_prompt",
    content: { result: "…" },
  };
  const curl = `curl -X POST ${a2aWebhookUrl(team.id)} \\\n  -H "x-a2a-secret: $TEAM_SECRET" \\\n  -H "Content-Type: application/json" \\\n  -d '${JSON.stringify(message)}'`;
  return (
    <div className="stack tight">
      <div className="row">
        <b className="small grow">Request from an external agent</b>
        <CopyButton text={curl} label="Copy request" />
      </div>
      <pre className="code" tabIndex={0}>
        {curl}
      </pre>
    </div>
  );
}
