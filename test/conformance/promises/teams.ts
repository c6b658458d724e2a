import type { Section } from "./section.ts";

export const teams: Section = {
  title: "Agents and teams",
  promises: [
    {
      id: "14.1",
      text: "`POST /api/agents`, `GET /api/agents`, `GET /api/agents/{id}`, `PUT /api/agents/{id}`, `PATCH /api/agents/{id}`, `DELETE /api/agents/{id}`.",
      proofs: ["test/teams/agents.test.ts › is registered, read, changed, listed and deleted"],
    },
    {
      id: "14.2",
      text: "`POST /api/agents/{id}/run` → output and usage; an agent that keeps calling tools is stopped (422 `agent_stopped`).",
      proofs: [
        "test/teams/agents.test.ts › answers under its own instructions and returns its token usage",
        "test/teams/agents.test.ts › runs its workflows as tasks of its owner, and is stopped if it never answers",
      ],
    },
    {
      id: "14.2.1",
      text: "`POST /api/agents/{id}/chat` streams one answer with its tool calls, under a draft configuration if one is given; a workflow runs once `POST /api/agents/{id}/chats/{chatId}/tool-calls/{callId}` has allowed it.",
      proofs: [
        "test/agent-chat.test.ts › streams the text word by word and ends with tokens and the model",
        "test/agent-chat.test.ts › runs a workflow only after it was allowed, and shows arguments and result",
        "test/agent-chat.test.ts › runs nothing that was denied, and tells the model",
        "test/agent-chat.test.ts › tries a draft without saving it, and refuses a workflow of another user in it",
        "test/agent-chat.test.ts › keeps to the limits of the agent",
      ],
    },
    {
      id: "14.3",
      text: "`POST /api/agent-teams` → 201 with the A2A secret, shown once and stored hashed, and warnings for unknown agents.",
      proofs: [
        "test/teams/teams.test.ts › is created with defaults, a secret, and a warning for each unregistered agent",
        "test/teams/a2a-webhook.test.ts › [S17] the secret is shown once, works until it is rotated, and is stored nowhere",
      ],
    },
    {
      id: "14.4",
      text: "Topologies are mesh, hierarchical and linear.",
      proofs: [
        "test/teams/topologies.test.ts › of a mesh: every agent answers and sees the earlier answers, and the last one is the result",
        "test/teams/topologies.test.ts › of a hierarchy: the lead delegates, the others see only their own work, the lead concludes",
        "test/teams/topologies.test.ts › of a line: each agent sees the objective and the previous answer, and passes on",
      ],
    },
    {
      id: "14.5",
      text: "An unregistered agent appears in discovery under its id without capabilities.",
      proofs: [
        "test/teams/teams.test.ts › lists all of its members in discovery, unregistered ones by their id",
      ],
    },
    {
      id: "14.6",
      text: "An entry of `externalAgents` may have an address that receives its messages.",
      proofs: [
        "test/teams/external-agents.test.ts › receives the message as a webhook, and its reply is appended to the log",
        "test/teams/external-agents.test.ts › is called over A2A if it serves an agent card",
      ],
    },
    {
      id: "14.7",
      text: "`GET /api/agent-teams`, `GET /api/agent-teams/{id}`, `PUT /api/agent-teams/{id}`, `PATCH /api/agent-teams/{id}`, `DELETE /api/agent-teams/{id}`.",
      proofs: ["test/teams/teams.test.ts › is changed, listed and deleted with its sessions"],
    },
    {
      id: "14.8",
      text: "`POST /api/agent-teams/{id}/rotate-secret` replaces the secret; the old one fails at once.",
      proofs: [
        "test/teams/a2a-webhook.test.ts › [S17] the secret is shown once, works until it is rotated, and is stored nowhere",
      ],
    },
    {
      id: "14.9",
      text: "`GET /api/agent-teams/{teamId}/discovery` covers internal and external agents; an external one's id is its name.",
      proofs: [
        "test/teams/teams.test.ts › lists all of its members in discovery, unregistered ones by their id",
      ],
    },
    {
      id: "14.10",
      text: "`POST /api/agent-teams/{id}/run` returns the session at once; `input` is another name for `objective`.",
      proofs: [
        "test/teams/run-and-room.test.ts › [R19] a client in the room receives the objective at once, then every entry in order, then the end",
        "test/conformance/run-rules.test.ts › a team run accepts input as another name for objective",
      ],
    },
    {
      id: "14.11",
      text: "With a client in the room, `NEW_SWARM_MESSAGE` is sent at once; without one the run waits at most 10 s and continues.",
      proofs: [
        "test/teams/run-and-room.test.ts › [R19] without a client the run waits, and starts when one joins",
        "test/teams/run-and-room.test.ts › [R19] the run starts without a client when the wait is over",
        "test/teams/run-and-room.test.ts › [R19] a join after 9.9 of the 10 seconds starts the run, once",
      ],
    },
    {
      id: "14.12",
      text: "A waiting run is not lost when the process dies.",
      proofs: [
        "test/teams/run-and-room.test.ts › [R19] a waiting run survives a restart, and starts when a client joins",
      ],
    },
    {
      id: "14.13",
      text: "`GET /api/agent-teams/{id}/sessions`, `GET /api/agent-teams/sessions/{sessionId}` with status, result and usage.",
      proofs: [
        "test/teams/topologies.test.ts › of a mesh: every agent answers and sees the earlier answers, and the last one is the result",
        "test/teams/teams.test.ts › is changed, listed and deleted with its sessions",
      ],
    },
    {
      id: "14.14",
      text: "`POST /api/agent-teams/sessions/{sessionId}/cancel` ends a session; no messages follow (`session_cancelled`, `session_ended`).",
      proofs: ["test/teams/session-ends.test.ts › can be cancelled during a turn, and no entry follows"],
    },
    {
      id: "14.15",
      text: "`POST /api/agent-teams/sessions/{sessionId}/messages` adds a message of a person.",
      proofs: [
        "test/teams/sessions.test.ts › becomes active again with a user's message, to one agent or to all",
      ],
    },
    {
      id: "14.16",
      text: "`GET /api/agent-teams/sessions/{sessionId}/logs` lists entries after a number, oldest first, numbered without a gap.",
      proofs: [
        "test/teams/sessions.test.ts › numbers fifty concurrent messages without a gap",
        "test/teams/war-room.test.ts › a long history arrives complete: first the acknowledgement, then the rest as events, then new entries",
      ],
    },
    {
      id: "14.17",
      text: "A run ends when the lead or last agent finishes, when no agent has a turn left, or 20 turns after the last external message.",
      proofs: [
        "server/teams/session/next-action.test.ts › ends when no turn is requested, with the last message",
        "test/teams/session-ends.test.ts › ends at the turn limit with the last message as its result and an entry with the reason",
      ],
    },
    {
      id: "14.18",
      text: "Without registered agents the session stays open for at most an hour.",
      proofs: [
        "test/teams/sessions.test.ts › without a registered agent stays open for external agents",
        "server/teams/session/next-action.test.ts › the session stays open for external agents for an hour after the last message",
      ],
    },
    {
      id: "14.19",
      text: "A missing or failing model adds an error entry with the reason.",
      proofs: [
        "test/teams/session-ends.test.ts › without a model fails with an error that names the setting",
        "test/teams/session-ends.test.ts › with one failing agent of a mesh continues with the others",
      ],
    },
    {
      id: "14.20",
      text: "A log entry has id, seq, session, team, from, to, type, content and time; tool calls and their results are in the log, too.",
      proofs: [
        "test/teams/a2a-webhook.test.ts › appends a message of a listed agent to the session's log",
        "test/teams/sessions.test.ts › runs its agents' workflows as separate tasks, whose ids are in the log",
      ],
    },
    {
      id: "14.21",
      text: "An agent has a provider, a model and capabilities; provider and model default to the configured ones.",
      proofs: [
        "test/teams/agents.test.ts › is registered, read, changed, listed and deleted",
        "test/teams/agents.test.ts › answers under its own instructions and returns its token usage",
      ],
    },
    {
      id: "14.22",
      text: "A message to an external agent with a `url` is sent at once, also while an internal agent works.",
      proofs: [
        "test/teams/external-agents.test.ts › receives messages at once, each one once, while an inside agent is busy",
      ],
    },
    {
      id: "14.23",
      text: "An external agent over A2A keeps its context, is followed until its task ends, also after a restart, and is answered by the team when it asks for input. Its credential is in no log. `POST /api/agent-teams/agent-card` reads its card.",
      proofs: [
        "test/teams/a2a-client.test.ts › is polled until its task ends",
        "test/teams/a2a-client.test.ts › that asks for input is answered by the team, in the same task and context",
        "test/teams/a2a-client.test.ts › keeps its context over turns, without the ended task",
        "test/teams/a2a-client.test.ts › whose task outlives the service is read by the next process, and gets no second message",
        "test/teams/a2a-client.test.ts › gets its credential %s, and the log of the session does not",
        "test/teams/a2a-client.test.ts › is found by its address: the card says what it can do and which credentials it takes",
        "test/teams/a2a-client.test.ts › talk to each other: a team answers a team of another service, with the secret of one agent",
        "server/teams/external/remote-task-loop.test.ts › a task is polled with growing pauses until it ends, and its answer is posted once",
      ],
    },
    {
      id: "14.24",
      text: "`POST /api/agent-teams/{id}/external-agents/{name}/secret` creates a secret with which only this external agent calls the team; `DELETE /api/agent-teams/{id}/external-agents/{name}/secret` ends it.",
      proofs: [
        "test/teams/a2a-client.test.ts › lets it post in its own name only, and the secret of the team keeps working",
        "test/teams/a2a-client.test.ts › ends with its agent: a name that is listed again needs a new one",
      ],
    },
  ],
};
