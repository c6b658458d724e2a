import type { Section } from "../register.ts";

export const a2aAndWarRoom: Section = {
  title: "A2A and the war room",
  promises: [
    {
      id: "15.1",
      text: "`POST /webhook/a2a/{teamId}` → 200 `{ok, messageId, sessionId, seq}`.",
      proofs: [
        "test/teams/a2a-webhook.test.ts › delivers a message of a listed agent into the session's log",
      ],
    },
    {
      id: "15.2",
      text: "Checks in order: rate, 401 `missing_secret`, 403 `invalid_secret` (unknown team too), 400 `invalid_message`, 403 `unknown_agent`, 400 `invalid_session`.",
      proofs: [
        "test/teams/a2a-webhook.test.ts › [S18] without a secret 401; with a wrong one, another team's, or for an unknown team the same 403",
        "test/teams/a2a-webhook.test.ts › a message that is none is 400 invalid_message, after the secret and before the name",
        "test/teams/a2a-webhook.test.ts › [S18] the right secret and an unlisted name, or a name from inside, is 403 unknown_agent",
        "test/teams/a2a-webhook.test.ts › [S18] a session of another team, an unknown or a cancelled one is 400 invalid_session",
        "test/teams/a2a-webhook.test.ts › [S23] twenty a minute for each team, counted before the secret is looked at",
      ],
    },
    {
      id: "15.3",
      text: "`to` defaults to the broadcast and `type` to `user_prompt`.",
      proofs: ["test/teams/a2a-webhook.test.ts › needs only session, sender and content"],
    },
    {
      id: "15.4",
      text: "A message to an ended session opens it again; a repeated `messageId` adds one entry.",
      proofs: [
        "test/teams/a2a-webhook.test.ts › the agents inside answer, and a session that has ended is opened again",
        "test/teams/a2a-webhook.test.ts › the same message id twice makes one entry, also when both arrive at once",
      ],
    },
    {
      id: "15.5",
      text: "Sockets need an access token; joining returns room, team, sessions and messages.",
      proofs: [
        "test/teams/socket-upgrade.test.ts › [S24] a socket needs a valid token",
        "test/teams/war-room.test.ts › [R18] a client that comes back gets what it missed, without gap or repeat, while others go on speaking",
      ],
    },
    {
      id: "15.6",
      text: "`leave_war_room`, `send_message`, `watch_task` and `unwatch_task` are acknowledged.",
      proofs: [
        "test/teams/war-room.test.ts › after leaving, nothing more is heard",
        "test/teams/war-room.test.ts › people speak over the socket and are heard by all in it, also by themselves",
        "test/teams/watched-task.test.ts › a watched task tells every change of its status",
      ],
    },
    {
      id: "15.7",
      text: "Clients receive `NEW_SWARM_MESSAGE` for every entry in order, `SWARM_STATUS` for the run and `TASK_STATUS` for watched tasks.",
      proofs: [
        "test/teams/run-and-room.test.ts › [R19] a client in the room hears the objective at once, then every entry in order, then the end",
        "test/fuzz/war-room-model.test.ts › [R18] whoever joins, leaves, drops out and returns in any order is told exactly the log, in its order",
        "test/teams/watched-task.test.ts › a watched task tells every change of its status",
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
      text: "Each team is an A2A 1.0 agent: card at `GET /a2a/{teamId}/.well-known/agent-card.json`, JSON-RPC at `POST /a2a/{teamId}`, HTTP+JSON at `POST /a2a/{teamId}/{operation}`, `GET /a2a/{teamId}/tasks/{taskId}`, `POST /a2a/{teamId}/tasks/{taskId}`.",
      proofs: [
        "test/teams/a2a-standard.test.ts › begins a session, answers, goes on in the same context, and can be asked again",
        "test/teams/a2a-standard.test.ts › shows the card to anybody who knows the team, and nothing secret in it",
        "test/teams/a2a-standard.test.ts › cancels",
      ],
    },
    {
      id: "15.10",
      text: "The A2A context is the session, with the same log.",
      proofs: [
        "test/teams/a2a-standard.test.ts › a session that began here is the same in the war room's log and over HTTP",
      ],
    },
  ],
};
