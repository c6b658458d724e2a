import type { Accepted, NewTask, RunWrite } from "../../engine/store.ts";
import type { Db } from "../db.ts";
import { writeGroup } from "./write-group.ts";

interface Waiter<Request, Answer> {
  request: Request;
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
}

/** Gathers what the runs of this process write while the write before is under way, and sends it as one group. */
export function createWriteQueue(db: Db) {
  let accepts: Waiter<NewTask, Accepted>[] = [];
  let writes: Waiter<RunWrite, boolean>[] = [];
  let draining = false;

  async function drain(): Promise<void> {
    draining = true;
    while (accepts.length + writes.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      const [acceptGroup, writeGroupNow] = [accepts, writes];
      accepts = [];
      writes = [];
      await send(acceptGroup, writeGroupNow);
    }
    draining = false;
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
      for (const { reject } of [...acceptGroup, ...writeGroupNow]) reject(error);
    }
  }

  return {
    accept: (request: NewTask) =>
      new Promise<Accepted>((resolve, reject) => {
        accepts.push({ request, resolve, reject });
        if (!draining) void drain();
      }),
    record: (request: RunWrite) =>
      new Promise<boolean>((resolve, reject) => {
        writes.push({ request, resolve, reject });
        if (!draining) void drain();
      }),
  };
}
