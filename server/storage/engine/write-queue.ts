import type { Accepted, NewTask, RunWrite } from "../../engine/store.ts";
import { AppError } from "../../lib/errors.ts";
import type { Db } from "../db.ts";
import { type Acceptance, writeGroup } from "./write-group.ts";

interface Waiter<Request, Answer> {
  request: Request;
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
}

/** Gathers what the runs of this process write while the writes before are under way, and sends it as one group. */
export function createWriteQueue(db: Db) {
  let accepts: Waiter<Acceptance, Accepted>[] = [];
  let writes: Waiter<RunWrite, boolean>[] = [];
  let senders = 0;

  async function drain(): Promise<void> {
    senders += 1;
    while (accepts.length + writes.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      const [acceptGroup, writeGroupNow] = [accepts, writes];
      accepts = [];
      writes = [];
      if (acceptGroup.length + writeGroupNow.length > 0) await send(acceptGroup, writeGroupNow);
    }
    senders -= 1;
  }

  /** All that comes in one turn goes together: only the first of it calls another sender. */
  function callSender(): void {
    if (senders < db.writers && accepts.length + writes.length === 1) void drain();
  }

  async function send(acceptGroup: typeof accepts, writeGroupNow: typeof writes): Promise<void> {
    try {
      const { accepted, recorded } = await writeGroup(
        db,
        acceptGroup.map(({ request }) => request),
        writeGroupNow.map(({ request }) => request),
      );
      acceptGroup.forEach(({ resolve }, index) => resolve(accepted[index]!));
      writeGroupNow.forEach(({ resolve }, index) => resolve(recorded[index]!));
    } catch (error) {
      // One of them is at fault: only that one may fail. A state that passes is everybody's.
      const passes = error instanceof AppError && error.retryable;
      if (passes || acceptGroup.length + writeGroupNow.length === 1) {
        for (const { reject } of [...acceptGroup, ...writeGroupNow]) reject(error);
        return;
      }
      for (const waiter of acceptGroup) await send([waiter], []);
      for (const waiter of writeGroupNow) await send([], [waiter]);
    }
  }

  return {
    accept: (task: NewTask, first?: Acceptance["first"]) =>
      new Promise<Accepted>((resolve, reject) => {
        accepts.push({ request: { task, first }, resolve, reject });
        callSender();
      }),
    record: (request: RunWrite) =>
      new Promise<boolean>((resolve, reject) => {
        writes.push({ request, resolve, reject });
        callSender();
      }),
  };
}
