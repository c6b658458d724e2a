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
  what: string;
  /** When it took effect. */
  from: number;
  until: number;
}

export interface Harm {
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
export async function inflict(kind: FaultKind, harm: Harm): Promise<Fault> {
  let from = 0;
  const what = await faults[kind](harm, () => (from = Date.now()));
  return { kind, what, from, until: Date.now() };
}

const faults: Record<FaultKind, (harm: Harm, struck: () => void) => Promise<string>> = {
  async kill(harm, struck) {
    const member = await pickUp(harm);
    await member.kill();
    struck();
    return `kill -9 of ${member.name}`;
  },

  async stop(harm, struck) {
    const { name, service } = await pickUp(harm);
    const ms = pastLease(harm);
    process.kill(service!.pid, "SIGSTOP");
    struck();
    await pause(ms);
    process.kill(service!.pid, "SIGCONT");
    return `${name} stopped for ${ms} ms`;
  },

  async postgres({ server, random }, struck) {
    const ms = random.between(0, 1500);
    await server.killAll();
    struck();
    await pause(ms);
    await server.start();
    return `kill -9 of every PostgreSQL process, started again after ${ms} ms`;
  },

  async terminate({ server, random }, struck) {
    const some = random.next() < 0.5 ? "and pid % 2 = 0" : "";
    await asAdmin(
      server.url,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid() ${some}`,
    );
    struck();
    return `pg_terminate_backend of ${some === "" ? "all" : "half of the"} sessions`;
  },

  async pooler({ pooler, random }, struck) {
    const ms = random.between(0, 1500);
    await pooler?.kill();
    struck();
    await pause(ms);
    await pooler?.start();
    return `kill -9 of the pooler, started again after ${ms} ms`;
  },

  async cut(harm, struck) {
    const { name, line } = await pickUp(harm);
    const { random } = harm;
    const way = random.pick(["reset", "frozen", "responses lost"]);
    const ms = way === "frozen" ? pastLease(harm) : random.between(0, 2000);
    if (way === "frozen") line.pause();
    // Starts with the next message.
    else if (way === "responses lost") void line.dropResponsesTo("");
    else line.disconnectAll();
    struck();
    if (way !== "reset") await pause(ms);
    // Dropping bytes in the middle of a response would be another kind of fault.
    if (way === "responses lost") line.disconnectAll();
    line.restore();
    return `the line of ${name}: ${way}${way === "reset" ? "" : ` for ${ms} ms`}`;
  },
};

async function pickUp({ cluster, random }: Harm): Promise<Member> {
  const up = (): Member[] => cluster.members.filter(({ service }) => service !== undefined);
  if (up().length === 0) await cluster.whole();
  return random.pick(up());
}

const pastLease = ({ random, leaseMs }: Harm): number => leaseMs + random.between(300, 2000);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
