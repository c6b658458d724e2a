import { useState } from "react";
import { createAgentSecret, type Team, useTeamMutation } from "../../api/teams.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";

/** A separate secret for each external agent: with it, the agent speaks only in its own name. */
export function ExternalSecrets({ team }: { team: Team }) {
  const [shown, setShown] = useState<{ name: string; secret: string }>();
  const create = useTeamMutation(async (name: string) => ({
    name,
    secret: await createAgentSecret(team.id, name),
  }));
  if (team.externalAgents.length === 0) return null;
  return (
    <div className="row wrap">
      {team.externalAgents.map(({ name }) => (
        <ConfirmButton
          key={name}
          className="btn"
          question={`Create a secret for “${name}”?`}
          consequence="An earlier secret of this agent stops working. The team's secret keeps working."
          confirm="Create secret"
          onConfirm={async () => setShown(await create.mutateAsync(name))}
        >
          Create secret for {name}
        </ConfirmButton>
      ))}
      {shown !== undefined && (
        <SecretDialog
          title={`Secret of “${shown.name}”`}
          label="Secret (header x-a2a-secret)"
          value={shown.secret}
          onClose={() => setShown(undefined)}
        />
      )}
    </div>
  );
}
