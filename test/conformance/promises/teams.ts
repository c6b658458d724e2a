import type { Section } from "../register.ts";

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
        "test/teams/agents.test.ts › answers, with the tokens it took, under its own instructions",
        "test/teams/agents.test.ts › runs its workflows as tasks of its owner, and is stopped when it never ends",
      ],
    },
    {
      id: "14.3",
      text: "`POST /api/agent-teams` → 201 with the A2A secret, shown once and stored hashed, and warnings for unknown agents.",
      proofs: [
        "test/teams/teams.test.ts › is made with defaults, a secret, and a warning for each agent that is not registered yet",
        "test/teams/a2a-webhook.test.ts › [S17] the secret is shown once, works until it is rotated, and is stored nowhere",
      ],
    },
    {
      id: "14.4",
      text: "Topologies are mesh, hierarchical and linear.",
      proofs: [
        "test/teams/topologies.test.ts › of a mesh: everybody answers, having heard those before, and the last word is the result",
        "test/teams/topologies.test.ts › of a hierarchy: the lead delegates, its people hear only their own work, the lead concludes",
        "test/teams/topologies.test.ts › of a line: each hears the objective and the one before, and hands on",
      ],
    },
    {
      id: "14.5",
      text: "An unregistered agent appears in discovery under its id without capabilities.",
      proofs: [
        "test/teams/teams.test.ts › shows all of its members in discovery, unregistered ones under their id",
      ],
    },
    {
      id: "14.6",
      text: "An entry of `externalAgents` may have an address that receives its messages.",
      proofs: [
        "test/teams/external-agents.test.ts › gets the message as a webhook, and its answer goes into the log",
        "test/teams/external-agents.test.ts › is called by the A2A standard when it shows a card",
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
        "test/teams/teams.test.ts › shows all of its members in discovery, unregistered ones under their id",
      ],
    },
    {
      id: "14.10",
      text: "`POST /api/agent-teams/{id}/run` returns the session at once; `input` is another name for `objective`.",
      proofs: [
        "test/teams/run-and-room.test.ts › [R19] a client in the room hears the objective at once, then every entry in order, then the end",
        "test/conformance/run-rules.test.ts › a team run accepts input as another name for objective",
      ],
    },
    {
      id: "14.11",
      text: "With a client in the room, `NEW_SWARM_MESSAGE` is sent at once; without one the run waits at most 10 s and continues.",
      proofs: [
        "test/teams/run-and-room.test.ts › [R19] without a client the run waits for one, and begins when it joins",
        "test/teams/run-and-room.test.ts › [R19] it begins without anybody when the wait is over",
        "test/teams/run-and-room.test.ts › [R19] a join after 9.9 of the 10 seconds begins it, and once",
      ],
    },
    {
      id: "14.12",
      text: "A waiting run is not lost when the process dies.",
      proofs: [
        "test/teams/run-and-room.test.ts › [R19] a run that waits when the process ends is still there, and begins when somebody joins the next one",
      ],
    },
    {
      id: "14.13",
      text: "`GET /api/agent-teams/{id}/sessions`, `GET /api/agent-teams/sessions/{sessionId}` with status, result and usage.",
      proofs: [
        "test/teams/topologies.test.ts › of a mesh: everybody answers, having heard those before, and the last word is the result",
        "test/teams/teams.test.ts › is changed, listed and deleted with its sessions",
      ],
    },
    {
      id: "14.14",
      text: "`POST /api/agent-teams/sessions/{sessionId}/cancel` ends a session; no messages follow (`session_cancelled`, `session_ended`).",
      proofs: [
        "test/teams/session-ends.test.ts › can be cancelled in the middle of a turn, and nothing is said after",
      ],
    },
    {
      id: "14.15",
      text: "`POST /api/agent-teams/sessions/{sessionId}/messages` adds a message of a person.",
      proofs: ["test/teams/sessions.test.ts › is opened again by a person's word, to one agent or to all"],
    },
    {
      id: "14.16",
      text: "`GET /api/agent-teams/sessions/{sessionId}/logs` lists entries after a number, oldest first, numbered without a gap.",
      proofs: [
        "test/teams/sessions.test.ts › numbers what fifty people say at once without a gap",
        "test/teams/war-room.test.ts › a long history comes whole: as much as the answer holds, then the rest as events, then what is new",
      ],
    },
    {
      id: "14.17",
      text: "A run ends when the lead or last agent finishes, when no agent has a turn left, or 20 turns after the last external message.",
      proofs: [
        "server/teams/session/next-action.test.ts › ends when nobody has more to say, with what was said last",
        "test/teams/session-ends.test.ts › ends at the turn limit with what was said last, and says so",
      ],
    },
    {
      id: "14.18",
      text: "Without registered agents the session stays open for at most an hour.",
      proofs: [
        "test/teams/sessions.test.ts › without a registered agent stays open for those outside",
        "server/teams/session/next-action.test.ts › the session stays open for those outside, an hour after the last word",
      ],
    },
    {
      id: "14.19",
      text: "A missing or failing model adds an error entry with the reason.",
      proofs: [
        "test/teams/session-ends.test.ts › without a model leaves an error that names the setting, and fails",
        "test/teams/session-ends.test.ts › with one failing agent of a mesh goes on with the others",
      ],
    },
    {
      id: "14.20",
      text: "A log entry has id, seq, session, team, from, to, type, content and time; tool calls and their results are in the log, too.",
      proofs: [
        "test/teams/a2a-webhook.test.ts › delivers a message of a listed agent into the session's log",
        "test/teams/sessions.test.ts › runs its agents' workflows as tasks of their own, named in the log",
      ],
    },
    {
      id: "14.21",
      text: "An agent has a provider, a model and capabilities; provider and model default to the configured ones.",
      proofs: [
        "test/teams/agents.test.ts › is registered, read, changed, listed and deleted",
        "test/teams/agents.test.ts › answers, with the tokens it took, under its own instructions",
      ],
    },
  ],
};
