import { describe, expect, test } from "vitest";
import {
  ended,
  promptOf,
  makeAgents,
  makeTeam,
  outline,
  readLog,
  run,
  seqs,
  speakerOf,
  useTeamApp,
} from "./team-app.ts";

describe("a session", () => {
  test("of a mesh: every agent answers and sees the earlier answers, and the last one is the result", async () => {
    const { ada, stub } = await useTeamApp();
    const [ann, ben] = await makeAgents(ada, "Ann", "Ben");
    const team = await makeTeam(ada, { agents: [ann, ben] });
    const sessionId = await run(ada, team.id, "Name a colour");
    const session = await ended(ada, sessionId);
    expect(session).toMatchObject({
      teamId: team.id,
      objective: "Name a colour",
      status: "completed",
      result: { output: "Ben has spoken", from: ben, stoppedBy: "finished" },
      usage: { inputTokens: 24, outputTokens: 16, totalTokens: 40 },
    });
    const log = await readLog(ada, sessionId);
    expect(outline(log)).toEqual([
      [ada.user.id, "broadcast", "user_prompt", "Name a colour"],
      [ann, "broadcast", "agent_result", "Ann has spoken"],
      [ben, "broadcast", "agent_result", "Ben has spoken"],
    ]);
    expect(seqs(log)).toEqual([1, 2, 3]);
    expect(log[0]).toMatchObject({
      sessionId,
      teamId: team.id,
      from: { type: "user" },
      id: expect.stringMatching(/^msg_/),
    });
    expect(promptOf(stub.requests[1]!.body)).toContain("Ann: Ann has spoken");
  });

  test("of a hierarchy: the lead delegates, the others see only their own work, the lead concludes", async () => {
    const { ada, stub } = await useTeamApp();
    const [lead, ann, ben] = await makeAgents(ada, "Lead", "Ann", "Ben");
    stub.answerWith((request) => {
      if (speakerOf(request) !== "Lead") return `${speakerOf(request)} did it`;
      return promptOf(request).includes("did it")
        ? "All is done."
        : "@Ann: the left half\n@Ben: the right half";
    });
    const team = await makeTeam(ada, { agents: [lead, ann, ben], topology: "hierarchical" });
    const sessionId = await run(ada, team.id, "Paint the wall");
    expect((await ended(ada, sessionId)).result).toEqual({
      output: "All is done.",
      from: lead,
      stoppedBy: "finished",
    });
    expect(outline(await readLog(ada, sessionId)).slice(1)).toEqual([
      [lead, ann, "agent_message", "the left half"],
      [lead, ben, "agent_message", "the right half"],
      [ann, lead, "agent_result", "Ann did it"],
      [ben, lead, "agent_result", "Ben did it"],
      [lead, "broadcast", "agent_result", "All is done."],
    ]);
    const benPrompt = promptOf(stub.requests.find(({ body }) => speakerOf(body) === "Ben")!.body);
    expect(benPrompt).toContain("the right half");
    expect(benPrompt).not.toMatch(/left half|Ann did it|Paint the wall/);
  });

  test("of a line: each agent sees the objective and the previous answer, and passes on", async () => {
    const { ada, stub } = await useTeamApp();
    const ids = await makeAgents(ada, "Ann", "Ben", "Cid");
    const team = await makeTeam(ada, { agents: ids, topology: "linear" });
    const sessionId = await run(ada, team.id, "Write a poem");
    expect((await ended(ada, sessionId)).result).toMatchObject({ output: "Cid has spoken", from: ids[2] });
    expect(
      outline(await readLog(ada, sessionId))
        .slice(1)
        .map(([from, to]) => [from, to]),
    ).toEqual([
      [ids[0], ids[1]],
      [ids[1], ids[2]],
      [ids[2], "broadcast"],
    ]);
    const cidPrompt = promptOf(stub.requests[2]!.body);
    expect(cidPrompt).toContain("Write a poem");
    expect(cidPrompt).toContain("Ben has spoken");
    expect(cidPrompt).not.toContain("Ann has spoken");
  });
});
