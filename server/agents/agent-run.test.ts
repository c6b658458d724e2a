import { expect, test } from "vitest";
import type { StepCall } from "../engine/run/step-runner.ts";
import { createAgentStepRunner } from "../steps/agent.ts";
import { createLiveAnswers } from "./live-answers.ts";
import type { AgentWork } from "./run-agent.ts";

test("an agent in a run of a chat belongs to its conversation, and in any other run to none", async () => {
  const works: AgentWork[] = [];
  const runner = createAgentStepRunner({
    agents: { get: () => Promise.resolve({ id: "agent_1" }) } as never,
    run(work) {
      works.push(work);
      return Promise.resolve({ text: "", steps: [], usage: {}, answeredBy: "" } as never);
    },
    liveAnswers: createLiveAnswers(),
  });
  for (const kind of ["chat", "webhook"])
    for (const workflowId of ["run_agent", "wf_1"])
      await runner.run({
        workflowId,
        fields: { agentId: "agent_1", input: "Hi" },
        redact: (value: unknown) => value,
        scope: { trigger: { kind }, input: { conversationId: "visitor-a" } },
      } as unknown as StepCall);
  expect(works.map(({ context }) => context.conversation)).toEqual([
    "visitor-a",
    "visitor-a",
    undefined,
    undefined,
  ]);
});
