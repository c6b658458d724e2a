import { sessionRoutes } from "./session.routes.ts";
import { teamRoutes } from "./team.routes.ts";
import type { ReadDocumentStatus } from "../realtime/document-watch.ts";
import { createHostCheck } from "../http/allowed-hosts.ts";
import { clientAddressOf } from "../http/client-address.ts";
import { serveSockets } from "../realtime/socket-upgrade.ts";
import type { Logins } from "../accounts/logins.ts";
import type { Memberships } from "../workspaces/memberships.ts";
import { createSessionStore } from "./store/session.sql.ts";
import { type A2aIntake, createA2aIntake } from "./a2a-intake.ts";
import { createAgentSecretStore } from "./external/agent-secret.sql.ts";
import { externalAgentRoutes } from "./external/external-agent.routes.ts";
import { createRemoteTaskLoop } from "./external/remote-task-loop.ts";
import { createPresence } from "./presence.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createTeams, type Teams } from "./teams.ts";
import type { AgentsPart } from "../agents/part.ts";
import type { ConnectionsPart } from "../connections/part.ts";
import type { BlobStore } from "../lib/blob-store.ts";
import { removeRecords } from "../retention/remove-records.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import { createPrunableSessions, listSessions } from "./store/session-retention.sql.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { Tasks } from "../tasks/tasks.ts";
import type { Platform, Part } from "../platform/part.ts";
import { REMOTE_TASK_CHANNEL, type SessionPart } from "./session/part.ts";

const BATCH_SIZE = 50;
/** Cards that the page reads at once: a server may take half a minute for each. */
const CARD_SLOTS = { slots: 16, perKey: 2 };

/** What the protocols need of teams. */
export interface TeamsPart extends Part {
  teams: Teams;
  store: SessionPart["teams"];
  sessions: Sessions;
  signals: SessionPart["signals"];
  intake: A2aIntake;
}

export interface TeamsPartDeps {
  agents: Pick<AgentsPart, "registered">;
  session: SessionPart;
  engine: Engine;
  tasks: Tasks;
  logins: Pick<Logins, "verify" | "watch">;
  memberships: Memberships;
  documentStatus: ReadDocumentStatus;
  blobs: BlobStore;
  connections: Pick<ConnectionsPart, "requireHttp">;
  onNotifications(listener: (workspaceId: string) => void): void;
}

/** Teams and their sessions, served over HTTP and sockets. */
export function createTeamsPart(
  { config, clock, db, limits: ownerLimits, report }: Platform,
  deps: TeamsPartDeps,
): TeamsPart {
  const { engine, tasks, blobs, connections } = deps;
  const { teams: store, signals, limits, external } = deps.session;
  const { registered } = deps.agents;
  const presence = createPresence(signals, clock);
  const sessions = createSessions({
    store: createSessionStore(db),
    clock,
    signals,
    presence,
    engine,
    limits,
    getTeam: store.get,
    findTeam: store.find,
    agentNames: async ({ agents, ownerId }) =>
      new Map((await registered(agents, ownerId)).map(({ id, name }) => [id, name])),
    assertNotSuspended: ownerLimits.assertNotSuspended,
    joinWaitMs: config.teams.joinWaitMs,
  });
  const agentSecrets = createAgentSecretStore(db);
  const loop = createRemoteTaskLoop({
    ...external,
    store: external.remoteTasks,
    sessions,
    findTeam: store.find,
    clock,
    onError: report,
  });
  const teams = createTeams({
    store,
    agentSecrets,
    clock,
    registered,
    requireConnection: connections.requireHttp,
    beforeRemove: sessions.cancelAll,
  });
  const intake = createA2aIntake({ teams: store, agentSecrets, sessions });

  return {
    teams,
    store,
    sessions,
    signals,
    intake,
    start() {
      void db
        .listen(REMOTE_TASK_CHANNEL, loop.poll)
        .catch((error: unknown) => report(error, "listening for tasks of external agents"));
      loop.poll();
    },
    stop: loop.close,
    close: () => Promise.resolve(presence.close()),
    async stopOwner(ownerId, batches) {
      await store.invalidateSecrets(ownerId);
      for (let cursor: string | undefined; ;) {
        const page = await store.list(ownerId, { limit: BATCH_SIZE, cursor });
        for (const { id } of page.items) await batches.run(() => sessions.cancelAll(id));
        if (page.nextCursor === null) return;
        cursor = page.nextCursor;
      }
    },
    async eraseOwner(ownerId, batches) {
      // Not hidden first: after a crash the rest must still be found by its owner.
      const table = { ...createPrunableSessions(db), hide: () => Promise.resolve(true) };
      for (;;) {
        const owned = await batches.run(() => listSessions(db, ownerId, BATCH_SIZE));
        if (owned.length === 0) break;
        const removed = await removeRecords(table, owned, { batches, blobs });
        if (removed === 0) throw new Error("Sessions of a deleted account have not ended yet.");
      }
      await batches.deleteAll((limit) => deleteOwned(db, "team", ownerId, limit));
    },
    routes(http) {
      teamRoutes(http, { teams, sessions });
      const cardReads = ownerLimits.share({ share: "agent_cards", ...CARD_SLOTS });
      externalAgentRoutes(http, {
        teams,
        readCard: (ownerId, url) => cardReads.run(ownerId, () => external.cards.read(url)),
      });
      sessionRoutes(http, { sessions, messageBytes: config.limits.webhookBodyBytes });
      serveSockets(http, {
        logins: deps.logins,
        memberships: deps.memberships,
        teams,
        sessions,
        presence,
        signals,
        engine,
        taskStatus: tasks.status,
        documentStatus: deps.documentStatus,
        onNotifications: deps.onNotifications,
        corsOrigins: config.corsOrigins,
        limits: ownerLimits,
        clientAddress: clientAddressOf(config.trustProxy),
        publicUrl: config.publicUrl,
        isAllowedHost: createHostCheck(config),
        onError: report,
      });
    },
  };
}
