import { randomUUID } from "node:crypto";
import type { Peers } from "../../engine/cluster/peers.ts";
import type { Db } from "../db.ts";

/** Changes within this time share one NOTIFY, since each takes a database-wide lock at commit. */
const GATHER_MS = 5;
const GATHER_LAZILY_MS = 100;
/** A NOTIFY payload must stay below 8000 bytes; 200 task ids need about 7200. */
const IDS_PER_MESSAGE = 200;

/** Peer messages over LISTEN/NOTIFY. Every message carries its sender, since PostgreSQL delivers it to the sender, too. */
export function createPeers(db: Pick<Db, "listen" | "notify">): Peers {
  const sender = randomUUID();
  const changed = new Set<string>();
  const changedLazily = new Set<string>();
  let due = false;
  let sent = 0;
  let pause: NodeJS.Timeout | undefined;
  let later: NodeJS.Timeout | undefined;

  /** The first change is sent at the end of this turn; later ones wait for the pause to end. */
  function gather(): void {
    if (pause !== undefined) return;
    setImmediate(send);
    pause = setTimeout(() => {
      pause = undefined;
      if (due || changed.size > 0) gather();
    }, GATHER_MS).unref();
  }

  function send(): void {
    if (due) db.notify("work", message());
    due = false;
    sendIds(changed);
  }

  function sendLazily(): void {
    clearTimeout(later);
    later = undefined;
    sendIds(changedLazily);
  }

  function sendIds(tasks: Set<string>): void {
    const ids = [...tasks];
    tasks.clear();
    for (let from = 0; from < ids.length; from += IDS_PER_MESSAGE) {
      db.notify("task", message(ids.slice(from, from + IDS_PER_MESSAGE)));
    }
  }

  /** The counter makes every payload unique: `notify` delays repeats, which would hold a task's end behind its last step. */
  function message(ids: readonly string[] = []): string {
    return [sender, sent++, ...ids].join(" ");
  }

  return {
    workIsDue() {
      due = true;
      gather();
    },
    taskChanged(taskId, lazily = false) {
      if (lazily) {
        changedLazily.add(taskId);
        later ??= setTimeout(sendLazily, GATHER_LAZILY_MS).unref();
      } else {
        changed.add(taskId);
        changedLazily.delete(taskId);
        gather();
      }
    },
    async listen(listener) {
      const stops = await Promise.all([
        db.listen("work", (payload) => {
          if (!payload.startsWith(sender)) listener.workIsDue();
        }),
        db.listen("task", (payload) => {
          const [from, , ...ids] = payload.split(" ");
          // The database layer sends an empty payload after a reconnect, when notifications may have been lost.
          if (from !== sender) listener.tasksChanged(payload === "" ? "any" : ids);
        }),
      ]);
      return async () => {
        clearTimeout(pause);
        send();
        sendLazily();
        for (const stop of stops) await stop();
      };
    },
  };
}
