import { randomUUID } from "node:crypto";
import type { PeerListener, Peers } from "../../engine/cluster/peers.ts";
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
/** A process announces what it watches at this interval, for peers that joined or missed it, and reads it again. */
const ANNOUNCE_MS = 10_000;
/** Without a new announcement a process counts as gone, or as no longer interested. */
const FORGET_MS = 3 * ANNOUNCE_MS;
/** A change between the subscription and the arrival of its announcement is read after this time. */
const REREAD_MS = 500;

const ALL = "task";
const WATCH = "watch";
const ownChannel = (process: string): string => `task_${process}`;

/**
 * Peer messages over LISTEN/NOTIFY. The channel `task` is for changes that may concern any process, as a cancel does. What
 * a run records is sent only to the processes that wait for the task or watch it, each over a channel of its own: with
 * one channel for all, every process received the id of every task of all others.
 */
export function createPeers(db: Pick<Db, "listen" | "notify">): Peers {
  const id = randomUUID();
  /** Ids to send, by channel. */
  const [urgent, lazy] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
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
      if (dueLanes.size > 0 || urgent.size > 0) gather();
    }, pauseMs).unref();
  }

  function send(): void {
    if (dueLanes.size > 0) db.notify("work", message(dueLanes.has("any") ? [] : [...dueLanes]));
    dueLanes.clear();
    sendIds(urgent);
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

  return {
    id,
    workIsDue(lane = "any") {
      dueLanes.add(lane);
      gather();
    },
    taskChanged: (taskId) => add(ALL, taskId),
    taskRecorded(taskId, { hasEnded, waiter }) {
      if (waiter !== undefined && waiter !== id) add(ownChannel(waiter), taskId);
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
