import type { Section } from "./section.ts";

export const clients: Section = {
  title: "Clients: MCP, A2A and chat",
  promises: [
    {
      id: "20.1",
      text: "`GET /api/exposures` lists published workflows, agents, teams and documents with a switch for each protocol; everything is off at first.",
      proofs: [
        "test/exposures.test.ts › published workflows, agents, teams and documents are listed with their switches, page by page",
        "server/exposure/exposures.test.ts › nothing is exposed until it is switched on, and each protocol has its own switch",
      ],
    },
    {
      id: "20.2",
      text: "`PUT /api/exposures/{kind}/{id}` switches a record, `GET /api/exposures/{kind}/{id}` reads it; a paused, unpublished or deleted workflow disappears from every protocol at once.",
      proofs: [
        "server/exposure/exposures.test.ts › a paused, emptied or deleted workflow disappears from every protocol at once",
        "server/exposure/exposures.test.ts › a workflow without a published version cannot be exposed",
        "server/exposure/exposures.test.ts › another user's record is neither exposed nor found, and names are separate per user",
      ],
    },
    {
      id: "20.3",
      text: "Tool and model names are unique per owner; a name that another record has is 409 `name_taken`.",
      proofs: [
        "server/exposure/exposures.test.ts › names come from the title, stay when it changes, and are unique under concurrent writes",
        "server/exposure/exposures.test.ts › of two records that take the same name at once one gets it and the other is refused",
        "test/exposures.test.ts › a name that another record has is 409, and one with other characters is 400",
      ],
    },
    {
      id: "20.4",
      text: "`GET /api/client-calls` lists the calls that came in, without arguments and results; `RETENTION_DAYS` removes them.",
      proofs: [
        "server/exposure/exposures.test.ts › calls are listed newest first, of their owner only, and failed writes are repeated",
        "server/retention/retention.test.ts › records of client calls are deleted with the tasks of their time",
      ],
    },
    {
      id: "20.10",
      text: "`POST /mcp` serves exposed workflows as tools to clients of both protocol versions, with progress, tasks and approvals as forms; every run has the same id as in the API.",
      proofs: [
        "test/mcp/sdk-client.test.ts › a client lists the exposed workflows and calls one",
        "test/mcp/sdk-client.test.ts › an approval is asked of the client's user, whose answer continues the run",
        "test/mcp/protocol.test.ts › a client with tasks gets a handle for a run that may be slow, and cancels it",
        "test/mcp/streams.test.ts › a client that disconnects loses nothing: its run continues and has the id it was told",
        "test/mcp/records.test.ts › an agent and a team are tools, whose runs have the ids of the API",
        "test/processes/mcp.test.ts › any process answers a client: sessions, questions and cancellations belong to none",
      ],
    },
    {
      id: "20.11",
      text: "The MCP server refuses foreign origins, unknown versions, malformed messages and headers that differ from the body; tools and runs of another account do not exist for a caller.",
      proofs: [
        "test/mcp/protocol.test.ts › a page of another origin is refused, one of this service is served",
        "test/mcp/protocol.test.ts › headers that differ from the body are refused with -32020",
        "test/mcp/protocol.test.ts › a malformed message is a JSON-RPC error",
        "test/mcp/protocol.test.ts › tools of another account are neither listed nor called",
        "test/mcp/protocol.test.ts › task methods need the capability, and another account's run is unknown",
      ],
    },
    {
      id: "20.5",
      text: "`GET /v1/models` and `GET /v1/models/{id}` list the workflows, agents and teams that are switched on for chat, of the caller's account only.",
      proofs: [
        "test/chat-completions.test.ts › are the workflows, agents and teams that are switched on for chat, and no others",
        "test/chat-completions.test.ts › of another user are not found",
      ],
    },
    {
      id: "20.6",
      text: "`POST /v1/chat/completions` runs the model as an ordinary task, whose id is the id of the answer; OpenAI's own client reads it, streamed and not.",
      proofs: [
        "test/chat-completions.test.ts › gets the last user message and all messages, and its result is the answer of an ordinary task",
        "test/chat-completions.test.ts › streams its result in chunks that end with [DONE], with usage when asked for",
        "test/chat-completions.test.ts › answers the conversation with the client's system messages after its own instructions",
        "test/chat-completions.test.ts › streams its text while the model writes it",
        "test/chat-completions.test.ts › a team answers with the messages of its agents, streamed as they come, under the id of its session",
      ],
    },
    {
      id: "20.7",
      text: "An approval answers where to approve; a run outlives its client, a call that waited too long and the client's retries.",
      proofs: [
        "test/chat-completions.test.ts › that waits for an approval answers where to approve, without a link that decides",
        "test/chat-completions.test.ts › that fails is an error that a client does not retry by itself",
        "test/chat-completions.test.ts › that takes longer than a call may wait is an error with the id of the run, which continues",
        "test/chat-completions.test.ts › runs once for calls with the same Idempotency-Key, and goes on when the client leaves",
      ],
    },
    {
      id: "20.8",
      text: "Every refusal of `/v1` has OpenAI's shape.",
      proofs: [
        "test/chat-completions.test.ts › for a missing or wrong key, a key without the scope and an unknown model",
        "test/chat-completions.test.ts › for a body that is no JSON, no object or not valid, and for other paths",
        "test/chat-completions.test.ts › for %s that no workflow, agent or team can do",
        "test/chat-completions.test.ts › for too many requests, with the time to wait",
      ],
    },
  ],
};
