import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../lib/errors.ts";
import type { Row, Statement } from "../db.ts";
import type { Send } from "./exactly-once.ts";
import { asStorageFault, faultOf, unreachable } from "./faults.ts";
import type { Lane } from "./lane.ts";

export interface LanesOptions {
  lanes: readonly Lane[];
  /** Upper bound of statements that share a transaction. */
  groupStatements: number;
  /** How long a call waits for a lost connection before it fails. */
  retryForMs: number;
  /** Longest pause between two attempts to reach a lost server. */
  longestPauseMs?: number;
  /** The server does not have the prepared statements. */
  onUnprepared(): void;
}

/** Creates the send function of a group; once per group, so that it keeps state across attempts. */
export type SendMaker = () => Send;

interface Waiting {
  /** When the caller started to wait, by the monotonic clock. */
  since: number;
  sendMaker: SendMaker;
  statements: readonly Statement[];
  resolve(rows: Row[][]): void;
  reject(reason: unknown): void;
}

// Two transactions that block each other succeed after a few retries; a true duplicate never does.
const MAX_COLLISIONS = 6;

/**
 * Batches that wait for a free connection are sent together as one transaction: one round trip and one WAL flush for
 * fifty callers. When the group fails, each batch is sent by itself, so that only the faulty one fails.
 */
export function createLanes({
  lanes,
  groupStatements,
  retryForMs,
  longestPauseMs = 1000,
  onUnprepared,
}: LanesOptions) {
  const idle = [...lanes];
  let waiting: Waiting[] = [];
  let pumpScheduled = false;
  let inFlight = 0;
  let drained: (() => void) | undefined;

  function submit(statements: readonly Statement[], sendMaker: SendMaker): Promise<Row[][]> {
    return new Promise((resolve, reject) => {
      waiting.push({ since: performance.now(), sendMaker, statements, resolve, reject });
      // One turn of the event loop lets every request that has already arrived join the group.
      if (!pumpScheduled) setImmediate(pump);
      pumpScheduled = true;
    });
  }

  function pump(): void {
    pumpScheduled = false;
    while (waiting.length > 0 && idle.length > 0) void serve(idle.pop()!, nextGroup());
  }

  function nextGroup(): Waiting[] {
    let statements = 0;
    const end = waiting.findIndex((entry, index) => {
      statements += entry.statements.length;
      return index > 0 && (statements > groupStatements || entry.sendMaker !== waiting[0]!.sendMaker);
    });
    return waiting.splice(0, end === -1 ? waiting.length : end);
  }

  async function serve(lane: Lane, group: Waiting[]): Promise<void> {
    inFlight += 1;
    try {
      await deliver(lane, group);
    } finally {
      inFlight -= 1;
      idle.push(lane);
      pump();
      if (inFlight === 0 && waiting.length === 0) drained?.();
    }
  }

  async function deliver(lane: Lane, group: Waiting[]): Promise<void> {
    try {
      const rows = await persist(lane, group);
      let at = 0;
      for (const { statements, resolve } of group) resolve(rows.slice(at, (at += statements.length)));
    } catch (error) {
      if (group.length === 1 || error instanceof AppError) {
        for (const { reject } of group) reject(asStorageFault(error));
      } else {
        for (const entry of group) await deliver(lane, [entry]);
      }
    }
  }

  /** Retries until the group is applied, refused, or out of time. */
  async function persist(lane: Lane, group: Waiting[]): Promise<Row[][]> {
    const statements = group.flatMap((entry) => entry.statements);
    const attempt = group[0]!.sendMaker();
    // Time spent queued behind failing groups counts. At least two attempts: a process that was suspended has lost its
    // connections, not the server.
    const deadline = group[0]!.since + retryForMs;
    for (let tries = 1, collisions = 0, again = false; ; tries += 1) {
      try {
        return await attempt(lane, statements, again);
      } catch (error) {
        const fault = faultOf(error);
        again ||= fault === "lost";
        if (fault === "refused" || (fault === "collided" && group.length > 1)) throw error;
        if (fault === "collided" && (collisions += 1) > MAX_COLLISIONS) throw error;
        if (fault === "unprepared") onUnprepared();
        if (fault !== "collided") lane.drop();
        if (performance.now() > deadline && tries > 1)
          throw unreachable("The database server cannot be reached.", error);
        if (fault === "collided") await sleep(Math.random() * 4 * 2 ** collisions);
        if (fault === "lost") await sleep(Math.min(longestPauseMs, 10 * 2 ** tries) * (0.5 + Math.random()));
      }
    }
  }

  return {
    submit,
    /** Resolves when nothing is in flight. */
    async close(): Promise<void> {
      if (inFlight > 0 || waiting.length > 0) await new Promise<void>((resolve) => (drained = resolve));
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}
