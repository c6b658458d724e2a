import type { Party } from "../../contract/teams.ts";
import { type BearerAccess, type Caller, subjectsOf } from "../accounts/bearer-access.ts";
import type { CredentialWatch } from "../accounts/credential-watch.ts";
import type { ExposedRecord, Exposures } from "../exposure/exposures.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { isId } from "../lib/ids.ts";
import type { A2aIntake } from "../teams/a2a-intake.ts";
import type { TeamRecord } from "../teams/team.sql.ts";

/** A team or a workflow that is reachable over A2A. */
export type A2aAgent = { kind: "team"; team: TeamRecord } | { kind: "workflow"; record: ExposedRecord };

/** The agent of a request and the caller, whose tasks are its own. */
export interface A2aAccess {
  agent: A2aAgent;
  /** In whose name messages are posted to a session. */
  party: Party;
  caller: string;
  callerName: string;
  /** The account behind an API key or app. */
  accountId?: string | undefined;
}

export interface A2aCredentials {
  /** The header `x-a2a-secret`. */
  secret: string | undefined;
  /** The header `x-a2a-agent`. */
  agentName: string | undefined;
  bearer: string | undefined;
  /** The client's IP address. */
  address: string;
}

export interface A2aAccessDeps {
  intake: Pick<A2aIntake, "authenticate" | "requireListed" | "requireOwnName">;
  bearerAccess: Pick<BearerAccess, "authenticate" | "verify" | "isActiveKey">;
  watch: CredentialWatch["watch"];
  /** Throws while the account that the workspace belongs to is disabled or being deleted. */
  assertOpen(ownerId: string): Promise<void>;
  findTeam(id: string): Promise<TeamRecord | undefined>;
  exposures: Pick<Exposures, "findWorkflow">;
}

/** Before the name of an external agent. Ids of keys and apps contain no space. */
const EXTERNAL = "external ";

export type A2aAccessCheck = ReturnType<typeof createA2aAccess>;

export function createA2aAccess(deps: A2aAccessDeps) {
  const { intake, bearerAccess, findTeam, exposures } = deps;
  /** With the team's secret, in the name of an external agent that the team lists, or with the agent's own secret. */
  async function bySecret(agentId: string, credentials: A2aCredentials): Promise<A2aAccess> {
    const { team, agentName: owner } = await intake.authenticate(agentId, credentials.secret);
    const agentName = credentials.agentName ?? owner ?? "";
    const party = { id: agentName, type: "external" };
    intake.requireListed(team, party);
    intake.requireOwnName(owner, agentName);
    await deps.assertOpen(team.ownerId);
    return {
      agent: { kind: "team", team },
      party,
      caller: `${EXTERNAL}${agentName}`,
      callerName: agentName,
    };
  }

  /** With a key or token of the agent's owner. Another owner's agent is an unknown one. */
  async function byBearer(agentId: string, caller: Caller): Promise<A2aAccess> {
    const { ownerId, callerId, callerName, accountId } = caller;
    const agent = await find(agentId);
    if (agent === undefined || ownerOf(agent) !== ownerId) throw unknownAgent(agentId);
    return { agent, party: partyOf(callerId), caller: callerId, callerName, accountId };
  }

  async function authenticate(
    agentId: string,
    credentials: A2aCredentials,
    isNewRequest: boolean,
  ): Promise<A2aAccess> {
    const { secret, bearer, address } = credentials;
    if (!isId("wf", agentId) && (secret !== undefined || bearer === undefined))
      return bySecret(agentId, credentials);
    return byBearer(
      agentId,
      await (isNewRequest
        ? bearerAccess.authenticate(bearer, "a2a", address)
        : bearerAccess.verify({ rawToken: bearer, scope: "a2a", address })),
    );
  }

  async function find(agentId: string): Promise<A2aAgent | undefined> {
    if (isId("wf", agentId)) {
      const record = await exposures.findWorkflow("a2a", agentId);
      return record && { kind: "workflow", record };
    }
    const team = isId("team", agentId) ? await findTeam(agentId) : undefined;
    return team && { kind: "team", team };
  }

  async function mayCall(agent: A2aAgent, { id, type }: Party): Promise<boolean> {
    if (type !== "external") return bearerAccess.isActiveKey(id, "a2a");
    return agent.kind === "team" && agent.team.externalAgents.some(({ name }) => name === id);
  }

  return {
    /** Throws before the body is read. */
    authenticate: (agentId: string, credentials: A2aCredentials): Promise<A2aAccess> =>
      authenticate(agentId, credentials, true),

    /** Calls `onEnd` once the caller may no longer call the agent, for responses that outlive a request. */
    watch(access: A2aAccess, credentials: A2aCredentials, onEnd: () => void): () => void {
      return deps.watch({
        subjects: subjectsOf({ ownerId: ownerOf(access.agent), accountId: access.accountId }),
        check: () => authenticate(idOf(access.agent), credentials, false),
        onEnd,
      });
    },

    /** For work after the request of a caller; undefined when the agent is gone or switched off, or the caller may no longer call it. */
    async resume(agentId: string, caller: string): Promise<A2aAccess | undefined> {
      const agent = await find(agentId);
      const party = partyOf(caller);
      if (agent === undefined || !(await mayCall(agent, party))) return undefined;
      return { agent, party, caller, callerName: caller };
    },

    /** For the card, which is public. */
    async get(agentId: string): Promise<A2aAgent> {
      const agent = await find(agentId);
      if (agent === undefined) throw unknownAgent(agentId);
      return agent;
    },
  };
}

export function idOf(agent: A2aAgent): string {
  return agent.kind === "team" ? agent.team.id : agent.record.recordId;
}

export function ownerOf(agent: A2aAgent): string {
  return agent.kind === "team" ? agent.team.ownerId : agent.record.ownerId;
}

function partyOf(caller: string): Party {
  return caller.startsWith(EXTERNAL)
    ? { id: caller.slice(EXTERNAL.length), type: "external" }
    : { id: caller, type: "user" };
}

function unknownAgent(agentId: string): AppError {
  return notFound(isId("wf", agentId) ? "workflow" : "team", agentId);
}
