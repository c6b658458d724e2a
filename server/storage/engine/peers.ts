import { randomUUID } from "node:crypto";
import type { Peers } from "../../engine/cluster/peers.ts";
import type { Db } from "../db.ts";

/** What happens within so long is told together: a NOTIFY is not free. */
const GATHER_MS = 5;
const GATHER_LAZILY_MS = 100;
/** 200 ids of a task stay well below what a notification can carry. */
const IDS_PER_MESSAGE = 200;

/** Over the notifications of the database. `sender` is in every word: nobody listens to himself. */
export function createPeers(db: Pick<Db, "listen" | "notify">): Peers {
  const sender = randomUUID();
  const moved = new Set<string>();
  const movedLazily = new Set<string>();
  let due = false;
  let words = 0;
  let pause: NodeJS.Timeout | undefined;
  let later: NodeJS.Timeout | undefined;

  /** The first is told at the end of this turn; what follows soon waits for the pause to end. */
  function gather(): void {
    if (pause !== undefined) return;
    setImmediate(tell);
    pause = setTimeout(() => {
      pause = undefined;
      if (due || moved.size > 0) gather();
    }, GATHER_MS).unref();
  }

  function tell(): void {
    if (due) db.notify("work", word());
    due = false;
    tellOf(moved);
  }

  function tellLazily(): void {
    clearTimeout(later);
    later = undefined;
    tellOf(movedLazily);
  }

  function tellOf(tasks: Set<string>): void {
    const ids = [...tasks];
    tasks.clear();
    for (let from = 0; from < ids.length; from += IDS_PER_MESSAGE) {
      db.notify("task", word(ids.slice(from, from + IDS_PER_MESSAGE)));
    }
  }

  /** The number makes it a new word: the same one would be held back for a while, and the end of a task behind its last step. */
  function word(ids: readonly string[] = []): string {
    return [sender, words++, ...ids].join(" ");
  }

  return {
    workIsDue() {
      due = true;
      gather();
    },
    taskChanged(taskId, lazily = false) {
      if (lazily) {
        movedLazily.add(taskId);
        later ??= setTimeout(tellLazily, GATHER_LAZILY_MS).unref();
      } else {
        moved.add(taskId);
        movedLazily.delete(taskId);
        gather();
      }
    },
    async listen(ears) {
      const stops = await Promise.all([
        db.listen("work", (heard) => {
          if (!heard.startsWith(sender)) ears.workIsDue();
        }),
        db.listen("task", (heard) => {
          const [from, , ...ids] = heard.split(" ");
          if (from !== sender) ears.tasksChanged(heard === "" ? "any" : ids);
        }),
      ]);
      return async () => {
        clearTimeout(pause);
        tell();
        tellLazily();
        for (const stop of stops) await stop();
      };
    },
  };
}
