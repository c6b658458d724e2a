import { expect, test } from "vitest";
import type { ExposedRecord } from "../exposure/exposures.ts";
import { createId } from "../lib/ids.ts";
import type { TeamRecord } from "../teams/team.sql.ts";
import { createA2aAccess } from "./a2a-access.ts";

const team = { id: createId("team", 1), externalAgents: [{ name: "scout" }] };

function resumeWith(activeKeys: string[], exposed = true) {
  const { resume } = createA2aAccess({
    intake: {} as never,
    watch: () => () => undefined,
    assertOpen: () => Promise.resolve(),
    bearerAccess: {
      isActiveKey: (id: string, scope: string) => Promise.resolve(scope === "a2a" && activeKeys.includes(id)),
    } as never,
    findTeam: (id) => Promise.resolve(id === team.id ? (team as unknown as TeamRecord) : undefined),
    exposures: { findWorkflow: () => Promise.resolve(exposed ? ({} as ExposedRecord) : undefined) },
  });
  return async (agentId: string, caller: string) => (await resume(agentId, caller)) !== undefined;
}

test("work after a request goes on only while its caller may call the agent", async () => {
  const workflow = createId("wf", 1);
  const resumes = resumeWith(["key_1"]);
  expect(await resumes(workflow, "key_1")).toBe(true);
  expect(await resumes(team.id, "key_1")).toBe(true);
  expect(await resumes(workflow, "key_revoked")).toBe(false);
  expect(await resumes(team.id, "key_revoked")).toBe(false);
  expect(await resumes(team.id, "external scout")).toBe(true);
  expect(await resumes(team.id, "external removed")).toBe(false);
  expect(await resumeWith(["key_1"], false)(workflow, "key_1")).toBe(false);
});
