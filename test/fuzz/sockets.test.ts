import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_DEPTH, shapeOf } from "../../server/lib/untrusted-json.ts";
import { connect, makeTeam, run, useTeamApp } from "../teams/team-app.ts";
import { registerUser } from "../support/test-app.ts";
import { oddText, oddValue } from "./odd-values.ts";

const events = [
  "join_war_room",
  "leave_war_room",
  "send_message",
  "watch_task",
  "unwatch_task",
  "watch_document",
  "unwatch_document",
] as const;

test("[S13] [S28] every socket request is acknowledged with a reason, leaks no other user's data, and leaves the service up", async () => {
  const { app, ada, address } = await useTeamApp();
  const mallory = await registerUser(app, "mallory");
  const mark = "mark-of-ada";
  const team = await makeTeam(ada, { name: mark });
  const sessionId = await run(ada, team.id, mark);
  const steps = [{ stepId: "ask", type: "approval", message: mark }];
  const { workflow } = (await ada.post("/api/workflows", { name: mark, metadata: { steps } })).body;
  const { taskId } = (await ada.post(`/api/workflows/${workflow.id}/run?wait=true`, {})).body;
  const client = await connect(address, mallory.token);

  const foreign = fc.constantFrom(team.id, sessionId, taskId, workflow.id);
  const value = fc.oneof(foreign, oddText, oddValue);
  const request = fc
    .oneof(
      { weight: 1, arbitrary: oddValue },
      {
        weight: 3,
        arbitrary: fc.record(
          {
            teamId: value,
            sessionId: value,
            taskId: value,
            documentId: value,
            after: fc.oneof(fc.integer(), oddValue),
            to: value,
            content: value,
          },
          { requiredKeys: [] },
        ),
      },
    )
    .filter((body) => !endsConnection(body));

  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...events), request, async (event, body) => {
      const answer = await client.ask(event, body);
      expect(typeof answer.ok).toBe("boolean");
      if (!answer.ok) expect(answer).toMatchObject({ error: expect.stringMatching(/^[a-z_]+$/) });
      if (!answer.ok) expect(answer["error"]).not.toBe("internal_error");
      expect(JSON.stringify(answer)).not.toContain(mark);
    }),
    { numRuns: 600 },
  );
  // Later events of the other user's records are not received either.
  await ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: mark });
  await ada.post(`/api/tasks/${taskId}/resume`, {});
  await client.ask("leave_war_room");
  expect(client.socket.connected).toBe(true);
  expect(JSON.stringify(client.events)).not.toContain(mark);
  expect((await app.anonymous.get("/ready")).status).toBe(200);
});

/** Such a message is not parsed, so that it has no acknowledgement: test/teams/hostile-sockets.test.ts. */
function endsConnection(body: unknown): boolean {
  const text = JSON.stringify(body) ?? "";
  return text.length > 16_000 && shapeOf(text, MAX_DEPTH - 1).isDeep;
}
