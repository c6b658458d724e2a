import { a2aWebhookUrl, type Team } from "../../api/teams.ts";
import { CopyButton, ShownOnce } from "../../ui/copy-button.tsx";

/** What somebody else's agent needs to speak in the room. */
export function Invitation({ team, secret, sessionId }: { team: Team; secret?: string; sessionId?: string }) {
  const address = a2aWebhookUrl(team.id);
  const from = team.externalAgents[0]?.name ?? "name-of-the-agent";
  const message = {
    sessionId: sessionId ?? "<session>",
    from: { id: from, type: "external" },
    to: { id: "broadcast", type: "internal" },
    type: "user_prompt",
    content: { result: "…" },
  };
  const curl = `curl -X POST ${address} \\\n  -H "x-a2a-secret: $TEAM_SECRET" \\\n  -H "Content-Type: application/json" \\\n  -d '${JSON.stringify(message)}'`;
  return (
    <div className="stack tight">
      {secret !== undefined && <ShownOnce label="The team’s secret" value={secret} />}
      <div className="row">
        <b className="small grow">For an agent from outside</b>
        <CopyButton text={curl} label="Copy the call" />
      </div>
      <pre className="code" tabIndex={0}>
        {curl}
      </pre>
      {team.externalAgents.length === 0 && (
        <p className="xs muted">
          No agent from outside is listed in this team, so every such call is refused.
        </p>
      )}
    </div>
  );
}
