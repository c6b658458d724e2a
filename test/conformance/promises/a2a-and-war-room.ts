import type { Section } from "./section.ts";

export const a2aAndWarRoom: Section = {
  title: "A2A and the war room",
  promises: [
    {
      id: "15.1",
      text: "`POST /webhook/a2a/{teamId}` → 200 `{ok, messageId, sessionId, seq}`.",
      proofs: ["test/teams/a2a-webhook.test.ts › appends a message of a listed agent to the session's log"],
    },
    {
      id: "15.2",
      text: "Checks in order: rate, 401 `missing_secret`, 403 `invalid_secret` (unknown team too), 400 `invalid_message`, 403 `unknown_agent`, 400 `invalid_session`.",
      proofs: [
        "test/teams/a2a-webhook.test.ts › [S18] no secret is 401; a wrong one, another team's or an unknown team is the same 403",
        "test/teams/a2a-webhook.test.ts › an invalid message is 400 invalid_message, checked after the secret and before the name",
        "test/teams/a2a-webhook.test.ts › [S18] the right secret with an unlisted name or an internal agent's name is 403 unknown_agent",
        "test/teams/a2a-webhook.test.ts › [S18] another team's session, an unknown or a cancelled one is 400 invalid_session",
        "test/teams/a2a-webhook.test.ts › [S23] the limit is twenty a minute per team, counted before the secret is checked",
      ],
    },
    {
      id: "15.3",
      text: "`to` defaults to the broadcast and `type` to `user_prompt`.",
      proofs: ["test/teams/a2a-webhook.test.ts › requires only session, sender and content"],
    },
    {
      id: "15.4",
      text: "A message to an ended session opens it again; a repeated `messageId` adds one entry.",
      proofs: [
        "test/teams/a2a-webhook.test.ts › the internal agents answer, and a session that has ended becomes active again",
        "test/teams/a2a-webhook.test.ts › two messages with one id make one entry, also when both arrive at once",
      ],
    },
    {
      id: "15.5",
      text: "Sockets need an access token; joining returns room, team, sessions and messages.",
      proofs: [
        "test/teams/socket-upgrade.test.ts › [S24] a socket needs a valid token",
        "test/teams/war-room.test.ts › [R18] a client that rejoins gets what it missed, without gap or repeat, while messages keep arriving",
      ],
    },
    {
      id: "15.6",
      text: "`leave_war_room`, `send_message`, `watch_task` and `unwatch_task` are acknowledged.",
      proofs: [
        "test/teams/war-room.test.ts › after leaving, a client receives no more events",
        "test/teams/war-room.test.ts › a message sent over the socket reaches all clients in the room, including the sender",
        "test/teams/watched-task.test.ts › every status change of a watched task is sent",
      ],
    },
    {
      id: "15.7",
      text: "Clients receive `NEW_SWARM_MESSAGE` for every entry in order, `SWARM_STATUS` for the run, `SWARM_TEXT` while an agent writes, and `TASK_STATUS` for watched tasks.",
      proofs: [
        "test/teams/live-text.test.ts › an answer is shown while it is written, in pieces that join to the entry of the log",
        "test/teams/run-and-room.test.ts › [R19] a client in the room receives the objective at once, then every entry in order, then the end",
        "test/fuzz/war-room-model.test.ts › [R18] a client that joins, leaves, disconnects and returns in any order receives exactly the log, in order",
        "test/teams/watched-task.test.ts › every status change of a watched task is sent",
      ],
    },
    {
      id: "15.8",
      text: 'A team or session of another user is `{ok: false, error: "forbidden"}`.',
      proofs: [
        "test/teams/socket-upgrade.test.ts › [S13] [S24] another user's team, session and task are forbidden, and unknown ones not found",
      ],
    },
    {
      id: "15.9",
      text: "Each team is an A2A 1.0 agent: card at `GET /a2a/{agentId}/.well-known/agent-card.json`, JSON-RPC at `POST /a2a/{agentId}`, HTTP+JSON at `POST /a2a/{agentId}/{operation}`, `GET /a2a/{agentId}/tasks/{taskId}`, `POST /a2a/{agentId}/tasks/{taskId}`.",
      proofs: [
        "test/teams/a2a-standard.test.ts › starts a session, answers, continues in the same context, and returns the task by its id",
        "test/teams/a2a-standard.test.ts › serves the card without a secret, and the card contains none",
        "test/teams/a2a-standard.test.ts › cancels a task",
      ],
    },
    {
      id: "15.10",
      text: "The A2A context is the session, with the same log.",
      proofs: [
        "test/teams/a2a-standard.test.ts › a session started over A2A is the same in the war room and over HTTP",
      ],
    },
    {
      id: "15.11",
      text: "`GET /a2a/{agentId}/tasks` and `ListTasks` return only the caller's tasks, by their last change, in pages; a task of another caller is an unknown one.",
      proofs: [
        "test/a2a/team-agent.test.ts › are listed by their last change, in pages, with filters",
        "test/a2a/team-agent.test.ts › are visible to no other caller of the same team",
      ],
    },
    {
      id: "15.12",
      text: "A message with the id of a task continues it, also as the answer to an approval; a known message id with another text is a client error.",
      proofs: [
        "test/a2a/team-agent.test.ts › a message with the id of a task continues it, and one with a known id and another text is refused",
        "test/a2a/team-agent.test.ts › an approval of a workflow that the team runs asks the caller, whose reply decides it",
      ],
    },
    {
      id: "15.13",
      text: "Malformed requests get the errors of their binding; clients of A2A 0.3 use the same address; the card has an ETag, and `GET /a2a/{agentId}/extendedAgentCard` extends it.",
      proofs: [
        "test/a2a/team-agent.test.ts › a malformed JSON-RPC request gets the code of JSON-RPC",
        "test/a2a/team-agent.test.ts › malformed JSON and another content type are errors of HTTP+JSON in its own shape",
        "test/a2a/team-agent.test.ts › reads the card, sends, streams, gets, continues and cancels",
        "test/a2a/team-agent.test.ts › is unchanged for a client that has its ETag, and changes with the team",
        "test/a2a/team-agent.test.ts › is extended for authenticated callers by the members of the team",
      ],
    },
    {
      id: "15.15",
      text: "A workflow that is switched on for A2A is an agent at `/a2a/{agentId}`, for keys of its owner with the scope `a2a`. The A2A task has the id of the Baton task; parts of the message are the input, the result is an artifact, an approval asks the caller.",
      proofs: [
        "test/a2a/workflow-agent.test.ts › runs with text, data and files as input, under the id of its task, and returns the result as an artifact",
        "test/a2a/workflow-agent.test.ts › asks for the decision of an approval, and continues or is rejected by the reply",
        "test/a2a/workflow-agent.test.ts › only a workflow that is switched on for A2A is an agent, for keys of its owner with the scope",
        "test/a2a/workflow-agent.test.ts › tasks are listed by state and context for their caller only",
      ],
    },
    {
      id: "15.14",
      text: "Webhooks of a task: `POST /a2a/{agentId}/tasks/{taskId}/pushNotificationConfigs`, `GET /a2a/{agentId}/tasks/{taskId}/pushNotificationConfigs`, `GET /a2a/{agentId}/tasks/{taskId}/pushNotificationConfigs/{configId}`, `DELETE /a2a/{agentId}/tasks/{taskId}/pushNotificationConfigs/{configId}`.",
      proofs: [
        "test/a2a/push.test.ts › webhooks are created, read, listed and deleted by the caller of the task alone, without their secrets, over %s",
        "test/a2a/push.test.ts › every change of a task is sent to its webhook, signed with the token and with the credentials, over %s",
        "test/a2a/push.test.ts › a webhook that is gone receives nothing more",
      ],
    },
  ],
};
