import { asAdmin } from "../support/postgres.ts";
import type { Cluster, Member } from "./cluster.ts";
import type { OwnPooler } from "./own-pooler.ts";
import type { OwnPostgres } from "./own-postgres.ts";
import type { Random } from "./random.ts";

export const faultKinds = ["kill", "stop", "postgres", "terminate", "cut"] as const;
/** The last one only with a pooler. */
export type FaultKind = (typeof faultKinds)[number] | "pooler";

export interface Fault {
  kind: FaultKind;
  description: string;
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
  const description = await faults[kind](context, () => (from = Date.now()));
  return { kind, description, from, until: Date.now() };
}

const faults: Record<FaultKind, (context: FaultContext, onInjected: () => void) => Promise<string>> = {
  async kill(context, onInjected) {
    const member = await pickRunningMember(context);
    await member.kill();
    onInjected();
    return `kill -9 of ${member.name}`;
  },

  async stop(context, onInjected) {
    const { name, service } = await pickRunningMember(context);
    const ms = pastLease(context);
    process.kill(service!.pid, "SIGSTOP");
    onInjected();
    await pause(ms);
    process.kill(service!.pid, "SIGCONT");
    return `${name} stopped for ${ms} ms`;
  },

  async postgres({ server, random }, onInjected) {
    const ms = random.between(0, 1500);
    await server.killAll();
    onInjected();
    await pause(ms);
    await server.start();
    return `kill -9 of every PostgreSQL process, started again after ${ms} ms`;
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
    return `the connection of ${name}: ${mode}${mode === "reset" ? "" : ` for ${ms} ms`}`;
  },
};

async function pickRunningMember({ cluster, random }: FaultContext): Promise<Member> {
  const up = (): Member[] => cluster.members.filter(({ service }) => service !== undefined);
  if (up().length === 0) await cluster.allReady();
  return random.pick(up());
}

const pastLease = ({ random, leaseMs }: FaultContext): number => leaseMs + random.between(300, 2000);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
