import { asAdmin } from "../support/postgres.ts";
import type { Cluster, Member } from "./cluster.ts";
import type { OwnPooler } from "./own-pooler.ts";
import type { OwnPostgres } from "./own-postgres.ts";
import type { Random } from "./random.ts";
import { stall } from "./stall.ts";

export const faultKinds = ["kill", "stop", "stall", "postgres", "outage", "terminate", "cut"] as const;
/** The last one only with a pooler. */
export type FaultKind = (typeof faultKinds)[number] | "pooler";

export interface Fault {
  kind: FaultKind;
  description: string;
  /** The process it hit; undefined when it hit the database. */
  member: string | undefined;
  /** When it took effect. */
  from: number;
  until: number;
}

export interface FaultContext {
  cluster: Cluster;
  server: OwnPostgres;
  pooler: OwnPooler | undefined;
  random: Random;
  leaseMs: number;
}

/** `count` faults, each kind equally often, in an order given by the seed. */
export function faultPlan(count: number, kinds: readonly FaultKind[], random: Random): FaultKind[] {
  const plan: FaultKind[] = [];
  while (plan.length < count) {
    const left = [...kinds];
    while (left.length > 0) plan.push(...left.splice(random.between(0, left.length - 1), 1));
  }
  return plan.slice(0, count);
}

/** Injects the fault and resolves when it is repaired; a killed process may still be restarting. */
export async function injectFault(kind: FaultKind, context: FaultContext): Promise<Fault> {
  let from = 0;
  const injected = await faults[kind](context, () => (from = Date.now()));
  const { description, member } = typeof injected === "string" ? { description: injected } : injected;
  return { kind, description, member, from, until: Date.now() };
}

type Injected = string | { description: string; member: string };

const faults: Record<FaultKind, (context: FaultContext, onInjected: () => void) => Promise<Injected>> = {
  async kill(context, onInjected) {
    const member = await pickRunningMember(context);
    await member.kill();
    onInjected();
    return { description: `kill -9 of ${member.name}`, member: member.name };
  },

  async stop(context, onInjected) {
    const { name, service } = await pickRunningMember(context);
    const ms = pastLease(context);
    process.kill(service!.pid, "SIGSTOP");
    onInjected();
    await pause(ms);
    process.kill(service!.pid, "SIGCONT");
    return { description: `${name} stopped for ${ms} ms`, member: name };
  },

  async stall(context, onInjected) {
    const { name, service, dataDir } = await pickRunningMember(context);
    const ms = aroundLease(context);
    onInjected();
    await stall(service!.pid, dataDir, ms);
    return { description: `the event loop of ${name} blocked for ${ms} ms`, member: name };
  },

  async postgres({ server, random }, onInjected) {
    const ms = random.between(0, 1500);
    await server.killAll();
    onInjected();
    await pause(ms);
    await server.start();
    return `kill -9 of every PostgreSQL process, started again after ${ms} ms`;
  },

  async outage(context, onInjected) {
    const { cluster, server, random } = context;
    const ms = aroundLease(context);
    const isDown = random.next() < 0.5;
    if (isDown) await server.killAll();
    else for (const { line } of cluster.members) line.pause();
    onInjected();
    await pause(ms);
    if (isDown) await server.start();
    else for (const { line } of cluster.members) line.restore();
    return `the database ${isDown ? "down" : "unreachable"} for ${ms} ms`;
  },

  async terminate({ server, random }, onInjected) {
    const some = random.next() < 0.5 ? "and pid % 2 = 0" : "";
    await asAdmin(
      server.url,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid() ${some}`,
    );
    onInjected();
    return `pg_terminate_backend of ${some === "" ? "all" : "half of the"} sessions`;
  },

  async pooler({ pooler, random }, onInjected) {
    const ms = random.between(0, 1500);
    await pooler?.kill();
    onInjected();
    await pause(ms);
    await pooler?.start();
    return `kill -9 of the pooler, started again after ${ms} ms`;
  },

  async cut(context, onInjected) {
    const { name, line } = await pickRunningMember(context);
    const { random } = context;
    const mode = random.pick(["reset", "frozen", "responses lost"]);
    const ms = mode === "frozen" ? pastLease(context) : random.between(0, 2000);
    if (mode === "frozen") line.pause();
    // Takes effect with the next message.
    else if (mode === "responses lost") void line.dropResponsesTo("");
    else line.disconnectAll();
    onInjected();
    if (mode !== "reset") await pause(ms);
    // Dropping bytes in the middle of a response would be another kind of fault.
    if (mode === "responses lost") line.disconnectAll();
    line.restore();
    const description = `the connection of ${name}: ${mode}${mode === "reset" ? "" : ` for ${ms} ms`}`;
    return { description, member: name };
  },
};

async function pickRunningMember({ cluster, random }: FaultContext): Promise<Member> {
  const up = (): Member[] => cluster.members.filter(({ service }) => service !== undefined);
  if (up().length === 0) await cluster.allReady();
  return random.pick(up());
}

/** Longer than the 60 % after which a process starts nothing; half of the time longer than the whole lease. */
const aroundLease = ({ random, leaseMs }: FaultContext): number =>
  Math.round(leaseMs * (0.65 + random.next() * 0.7));

const pastLease = ({ random, leaseMs }: FaultContext): number => leaseMs + random.between(300, 2000);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
