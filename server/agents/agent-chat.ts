import type { AgentChatEvent, agentChatSchema } from "../../contract/agent-chat.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type * as z from "zod";
import type { OpenModel } from "../connections/open-model.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import { type ModelMessage, type ModelTool, spentFields, type StreamPart } from "../models/language-model.ts";
import type { Agents } from "./agents.ts";
import { askedModelOf, type RunAgent } from "./run-agent.ts";
import type { ToolPermissions } from "./tool-permissions.ts";

type ChatRequest = z.output<typeof agentChatSchema>;
/** An event without its time, which `send` adds. */
type Untimed = AgentChatEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, "at">
    : never
  : never;

export interface AgentChatsDeps {
  agents: Agents;
  openModel: OpenModel;
  runAgent: RunAgent;
  permissions: ToolPermissions;
  clock: Clock;
  onError(error: unknown, activity: string): void;
}

export type AgentChats = ReturnType<typeof createAgentChats>;

/** One answer of an agent at a time, streamed, with tools that write waiting for the user. */
export function createAgentChats({
  agents,
  openModel,
  runAgent,
  permissions,
  clock,
  onError,
}: AgentChatsDeps) {
  return {
    /** Checks everything that can be refused before the stream begins. */
    async open(ownerId: string, agentId: string, { draft, messages }: ChatRequest) {
      const agent = await agents.preview(ownerId, agentId, draft ?? {});
      const { provider, model } = await openModel(askedModelOf(agent));
      const chatId = createId("chat", clock.now());

      return async (emit: (event: AgentChatEvent) => void, signal: AbortSignal): Promise<void> => {
        const begunAt = clock.monotonic();
        const send = (event: Untimed) =>
          emit({ ...event, at: Math.round(clock.monotonic() - begunAt) } as AgentChatEvent);
        const tools = new Map<string, ModelTool>();
        const announced = new Set<string>();
        const denied = new Set<string>();

        /** Once per call, and before its start: the library may run a tool before it reports the call. */
        function announce({ id, name, input }: { id: string; name: string; input: JsonValue }): void {
          if (announced.has(id)) return;
          announced.add(id);
          const { title = name, asksFirst = false } = tools.get(name) ?? {};
          send({ event: "tool_call", id, name, title, input, asksFirst });
        }

        function withPermission(tool: ModelTool): ModelTool {
          tools.set(tool.name, tool);
          return {
            ...tool,
            async execute(input, stop, callId = "") {
              announce({ id: callId, name: tool.name, input });
              if (tool.asksFirst === true && !(await permissions.ask({ ownerId, chatId, callId }, stop))) {
                denied.add(callId);
                throw new AppError("tool_failed", "The user did not allow this call.");
              }
              send({ event: "tool_started", id: callId });
              return tool.execute(input, stop, callId);
            },
          };
        }

        function onPart(part: StreamPart): void {
          if (part.type === "text-delta") send({ event: "text", text: part.text });
          if (part.type === "tool-call") announce(part);
          if (part.type === "tool-result") {
            const { id, output, failed } = part;
            send({ event: "tool_result", id, output, failed, denied: denied.delete(id) });
            announced.delete(id);
          }
        }

        send({ event: "started", chatId, model: `${provider}/${model}` });
        try {
          const { text, usage, answeredBy, steps } = await runAgent({
            agent,
            messages: messages.map(toModelMessage),
            context: { ownerId, trigger: "manual", depth: 0 },
            signal,
            onPart,
            wrapTool: withPermission,
          });
          const calls = steps.map((step) => spentFields(step.usage));
          send({ event: "finished", text, model: answeredBy, ...spentFields(usage), calls });
        } catch (error) {
          if (signal.aborted) return;
          send({ event: "failed", ...failureOf(error, onError) });
        }
      };
    },

    /** Throws `tool_call_not_found` when the call does not wait for a decision. */
    async decide(ownerId: string, agentId: string, chatId: string, callId: string, allow: boolean) {
      await agents.get(ownerId, agentId);
      if (!permissions.decide({ ownerId, chatId, callId }, allow)) throw notFound("tool_call");
    },
  };
}

function toModelMessage({ role, content, toolCalls }: ChatRequest["messages"][number]): ModelMessage {
  const toolUses = toolCalls?.map((call) => ({
    ...call,
    input: call.input as JsonValue,
    output: (call.output ?? null) as JsonValue,
  }));
  return { role, content, ...(toolUses === undefined ? {} : { toolUses }) };
}

function failureOf(error: unknown, onError: AgentChatsDeps["onError"]): { error: string; message: string } {
  if (error instanceof AppError) return { error: error.code, message: error.message };
  onError(error, "answering a chat");
  return { error: "internal_error", message: "The answer failed with an internal error." };
}
