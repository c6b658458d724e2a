import { expect, test } from "vitest";
import type { StepCall } from "../engine/run/step-runner.ts";
import { createAgentStepRunner } from "../steps/agent.ts";
import { createLiveAnswers } from "./live-answers.ts";
import type { AgentWork } from "./run-agent.ts";

test("an agent belongs to the conversation of its run, whatever the input of the run says", async () => {
  const works: AgentWork[] = [];
  const runner = createAgentStepRunner({
    agents: { get: () => Promise.resolve({ id: "agent_1" }) } as never,
    run(work) {
      works.push(work);
      return Promise.resolve({ text: "", steps: [], usage: {}, answeredBy: "" } as never);
    },
    liveAnswers: createLiveAnswers(),
  });
  for (const conversation of ["visitor-a", undefined])
    for (const workflowId of ["run_agent", "wf_1"])
      await runner.run({
        workflowId,
        conversation,
        fields: { agentId: "agent_1", input: "Hi" },
        redact: (value: unknown) => value,
        scope: { trigger: { kind: "webhook" }, input: { conversationId: "visitor-b" } },
      } as unknown as StepCall);
  expect(works.map(({ context }) => context.conversation)).toEqual([
    "visitor-a",
    "visitor-a",
    undefined,
    undefined,
  ]);
});
