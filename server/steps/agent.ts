import { agentRunWorkflow, readAgentRunInput } from "../agents/agent-run.ts";
import type { AgentStore } from "../agents/agent.sql.ts";
import type { LiveAnswers } from "../agents/live-answers.ts";
import { toPrompt, type RunAgent } from "../agents/run-agent.ts";
import { toolCallsOf } from "../agents/tool-calls.ts";
import type { StepCall, StepRunner } from "../engine/run/step-runner.ts";
import { AppError } from "../lib/errors.ts";
import { spentFields } from "../models/language-model.ts";
import { createLiveReader } from "./live-reader.ts";
import { permanentFailure, requiredText } from "./step-failure.ts";

export interface AgentStepDeps {
  agents: Pick<AgentStore, "get" | "findByCapability">;
  run: RunAgent;
  liveAnswers: LiveAnswers;
}

/** Runs one of the owner's agents. Tasks that its tools start are children of this task. */
export function createAgentStepRunner({ agents, run, liveAnswers }: AgentStepDeps): StepRunner {
  async function chosen({ fields, ownerId }: StepCall) {
    if (fields["agentId"] !== undefined && fields["agentId"] !== null && fields["agentId"] !== "") {
      return agents.get(requiredText(fields, "agentId"), ownerId).catch((error: unknown) => {
        throw error instanceof AppError ? permanentFailure(error.code, error.message, error) : error;
      });
    }
    const capability = requiredText(fields, "capability");
    const agent = await agents.findByCapability(capability, ownerId);
    if (agent === undefined)
      throw permanentFailure(
        "agent_not_found",
        `None of your agents has the capability ${capability}. Register an agent that lists it.`,
      );
    return agent;
  }

  return {
    async run(call) {
      const agent = await chosen(call);
      const isChat = call.workflowId === agentRunWorkflow.id;
      const chat = isChat ? readAgentRunInput(await call.redact(call.scope.input ?? null)) : {};
      const onText = isChat ? liveAnswers.readerOf(chat.live) : liveAnswers.readerOfStep(call);
      const live = createLiveReader(call, onText);
      const { text, steps, usage, answeredBy } = await run({
        agent,
        // An agent may pass its input to tools, whose tasks are stored, so secrets are redacted first.
        messages: chat.messages ?? toPrompt(await call.redact(call.fields["input"] ?? "")),
        addedInstructions: chat.instructions,
        onPart: live?.onPart,
        context: {
          ownerId: call.ownerId,
          conversation: call.conversation,
          trigger: "workflow",
          parent: { taskId: call.taskId, step: call.path, rootTaskId: call.rootTaskId },
          depth: call.depth,
          lendSlot: call.lendSlot,
        },
        signal: call.signal,
      });
      live?.end();
      const toolCalls = toolCallsOf(steps);
      return {
        output: text,
        extra: {
          agentId: agent.id,
          ...spentFields(usage),
          model: answeredBy,
          ...(toolCalls.length > 0 && { toolCalls }),
        },
      };
    },
  };
}
