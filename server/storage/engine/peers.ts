import { randomUUID } from "node:crypto";
import type { FinishedOf, PeerListener, Peers } from "../../engine/cluster/peers.ts";
import type { FinishedRun } from "../../engine/worker/live-runs.ts";
import type { Db } from "../db.ts";

/** Changes within this time share one NOTIFY, since each takes a database-wide lock at commit. */
const GATHER_MS = 5;
/**
 * And at least this time for each process: a NOTIFY wakes every listening session of the database, whatever its channel,
 * for about 40 µs of server time each (docs/operate/growth.md). All processes together send at most 500 a second.
 */
const GATHER_MS_PER_PROCESS = 2;
const GATHER_LAZILY_MS = 100;
/** A NOTIFY payload must stay below 8000 bytes; 200 task ids need about 7200. */
const IDS_PER_MESSAGE = 200;
/** Limits the finished runs in one message, which also holds the ids of up to 20 ended tasks. */
const MAX_RUN_BYTES = 7000;
const ENDS_PER_MESSAGE = 20;
/** Between the ids and each run. JSON has no line feed. */
const SEPARATOR = " \n";
/** Raise it with every change of a run's JSON: a process of another version reads the rows instead. */
const RUN_FORMAT = "1";
/** A process announces what it watches at this interval, for peers that joined or missed it, and reads it again. */
const ANNOUNCE_MS = 10_000;
/** Without a new announcement a process counts as gone, or as no longer interested. */
const FORGET_MS = 3 * ANNOUNCE_MS;
/** A change between the subscription and the arrival of its announcement is read after this time. */
const REREAD_MS = 500;

const ALL = "task";
const WATCH = "watch";
const ownChannel = (process: string): string => `task_${process}`;
const endChannel = (waiter: string): string => `ended_${waiter}`;

/**
 * Peer messages over LISTEN/NOTIFY. The channel `task` is for changes that may concern any process, as a cancel does. What
 * a run records is sent only to the processes that wait for the task or watch it, each over its own channel: with
 * one channel for all, every process received the id of every task of all others.
 *
 * The end of a task carries its run when that is small: the process whose caller waits need not read it. Any role of the
 * database may listen to a channel whose name it knows, so the name of this one is in no message, only in rows of tasks.
 */
export function createPeers(db: Pick<Db, "listen" | "notify">): Peers {
  /** The first is in every message, the second only in rows of tasks. */
  const [id, waiterId] = [randomUUID(), randomUUID()];
  /** Ids to send, by channel. */
  const [urgent, lazy] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  /** Ended tasks by waiter, with their runs as text. */
  const ended = new Map<string, Map<string, string | undefined>>();
  /** Tasks that this process watches, with the number of its watchers. */
  const watched = new Map<string, number>();
  const watchers = createWatchers();
  let listener: PeerListener | undefined;
  /** Lanes with due work; `any` for all of them. */
  const dueLanes = new Set<string>();
  let sent = 0;
  let pause: NodeJS.Timeout | undefined;
  let later: NodeJS.Timeout | undefined;
  let announcing: NodeJS.Timeout | undefined;

  /** The first change is sent at the end of this turn; later ones wait for the pause to end. */
  function gather(): void {
    if (pause !== undefined) return;
    setImmediate(send);
    const pauseMs = Math.max(GATHER_MS, GATHER_MS_PER_PROCESS * (listener?.processes?.() ?? 1));
    pause = setTimeout(() => {
      pause = undefined;
      if (dueLanes.size > 0 || urgent.size > 0 || ended.size > 0) gather();
    }, pauseMs).unref();
  }

  function send(): void {
    if (dueLanes.size > 0) db.notify("work", message(dueLanes.has("any") ? [] : [...dueLanes]));
    dueLanes.clear();
    sendIds(urgent);
    for (const [waiter, runs] of ended)
      for (const part of partsOf(runs)) db.notify(endChannel(waiter), endMessage(part));
    ended.clear();
  }

  function sendLazily(): void {
    clearTimeout(later);
    later = undefined;
    sendIds(lazy);
  }

  function sendIds(channels: Map<string, Set<string>>): void {
    for (const [channel, tasks] of channels) {
      const ids = [...tasks];
      for (let from = 0; from < ids.length; from += IDS_PER_MESSAGE)
        db.notify(channel, message(ids.slice(from, from + IDS_PER_MESSAGE)));
    }
    channels.clear();
  }

  /** The counter makes every payload unique: `notify` delays repeats, which would hold a task's end behind its last step. */
  function message(names: readonly string[]): string {
    return [id, sent++, ...names].join(" ");
  }

  /** Tasks with a run are first: the runs follow in the order of the ids. */
  function endMessage(tasks: readonly [string, string | undefined][]): string {
    const sorted = tasks.toSorted(([, a], [, b]) => Number(a === undefined) - Number(b === undefined));
    const runs = sorted.flatMap(([, run]) => run ?? []);
    return [message(sorted.map(([taskId]) => taskId)), ...runs].join(SEPARATOR);
  }

  function add(channel: string, taskId: string): void {
    const tasks = urgent.get(channel) ?? new Set();
    urgent.set(channel, tasks.add(taskId));
    lazy.get(channel)?.delete(taskId);
    gather();
  }

  function addLazily(channel: string, taskId: string): void {
    const tasks = lazy.get(channel) ?? new Set();
    lazy.set(channel, tasks.add(taskId));
    later ??= setTimeout(sendLazily, GATHER_LAZILY_MS).unref();
  }

  function announceAll(): void {
    watchers.forget(performance.now() - FORGET_MS);
    for (const taskId of watched.keys()) add(WATCH, taskId);
    if (watched.size > 0) listener?.tasksChanged([...watched.keys()]);
  }

  function onTasks(payload: string): void {
    const [from, , ...ids] = payload.split(" ");
    // The database layer sends an empty payload after a reconnect, when notifications may have been lost.
    if (from !== id) listener?.tasksChanged(payload === "" ? "any" : ids);
  }

  function onEnds(payload: string): void {
    const [head = "", ...runs] = payload.split(SEPARATOR);
    const [, , ...ids] = head.split(" ");
    const finished: FinishedOf = (taskId) => {
      const run = runs[ids.indexOf(taskId)];
      if (run?.startsWith(`${RUN_FORMAT}{`) !== true) return undefined;
      return JSON.parse(run.slice(RUN_FORMAT.length)) as FinishedRun;
    };
    listener?.tasksChanged(payload === "" ? "any" : ids, finished);
  }

  return {
    id: waiterId,
    workIsDue(lane = "any") {
      dueLanes.add(lane);
      gather();
    },
    taskChanged: (taskId) => add(ALL, taskId),
    taskRecorded(taskId, { hasEnded, waiter, finished }) {
      if (waiter !== undefined && waiter !== waiterId) {
        const runs = ended.get(waiter) ?? new Map<string, string | undefined>();
        ended.set(waiter, runs.set(taskId, smallJsonOf(finished)));
        gather();
      }
      for (const process of watchers.of(taskId)) {
        if (hasEnded) add(ownChannel(process), taskId);
        else addLazily(ownChannel(process), taskId);
      }
    },
    watch(taskId) {
      const count = watched.get(taskId) ?? 0;
      watched.set(taskId, count + 1);
      let reread: NodeJS.Timeout | undefined;
      if (count === 0) {
        add(WATCH, taskId);
        reread = setTimeout(() => listener?.tasksChanged([taskId]), REREAD_MS).unref();
      }
      return () => {
        clearTimeout(reread);
        const left = (watched.get(taskId) ?? 1) - 1;
        if (left > 0) watched.set(taskId, left);
        else watched.delete(taskId);
      };
    },
    async listen(given) {
      listener = given;
      const stops = await Promise.all([
        db.listen("work", (payload) => {
          const [from, , ...lanes] = payload.split(" ");
          if (from !== id) given.workIsDue(lanes.length === 0 ? "any" : lanes);
        }),
        db.listen(ALL, onTasks),
        db.listen(ownChannel(id), onTasks),
        db.listen(endChannel(waiterId), onEnds),
        db.listen(WATCH, (payload) => {
          const [from, , ...ids] = payload.split(" ");
          if (from !== id) for (const taskId of ids) watchers.add(taskId, from!, performance.now());
        }),
      ]);
      announcing = setInterval(announceAll, ANNOUNCE_MS).unref();
      return async () => {
        clearTimeout(pause);
        clearInterval(announcing);
        send();
        sendLazily();
        for (const stop of stops) await stop();
      };
    },
  };
}

/** After its format. Undefined when it does not fit into a message. */
function smallJsonOf(run: FinishedRun | undefined): string | undefined {
  if (run === undefined || !mayBeSmall(run)) return undefined;
  const text = RUN_FORMAT + JSON.stringify(run);
  return Buffer.byteLength(text) <= MAX_RUN_BYTES ? text : undefined;
}

/** Avoids serialising a run that is too large to send. */
function mayBeSmall({ resultJson, entries }: FinishedRun): boolean {
  let characters = resultJson?.length ?? 0;
  for (const entry of entries)
    if (entry.kind === "step") characters += (entry.input?.length ?? 0) + (entry.output?.length ?? 0);
  return characters <= MAX_RUN_BYTES;
}

/** Tasks with their runs, as many as fit into one message. */
function partsOf(tasks: ReadonlyMap<string, string | undefined>): [string, string | undefined][][] {
  const parts: [string, string | undefined][][] = [];
  let bytes = 0;
  for (const task of tasks) {
    const [, run] = task;
    const size = run === undefined ? 0 : Buffer.byteLength(run) + SEPARATOR.length;
    const part = parts.at(-1);
    const isFull = part === undefined || bytes + size > MAX_RUN_BYTES || part.length >= ENDS_PER_MESSAGE;
    if (isFull) {
      parts.push([task]);
      bytes = size;
    } else {
      part.push(task);
      bytes += size;
    }
  }
  return parts;
}

/** Which peers watch which task, and since when that is known. */
function createWatchers() {
  const known = new Map<string, Map<string, number>>();
  return {
    add(taskId: string, process: string, at: number): void {
      known.set(taskId, (known.get(taskId) ?? new Map<string, number>()).set(process, at));
    },
    of: (taskId: string): Iterable<string> => known.get(taskId)?.keys() ?? [],
    forget(before: number): void {
      for (const [taskId, processes] of known) {
        for (const [process, at] of processes) if (at < before) processes.delete(process);
        if (processes.size === 0) known.delete(taskId);
      }
    },
  };
}
