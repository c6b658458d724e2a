import { parseArgs } from "node:util";
import { type CancelFilter, cancelTasks } from "../../storage/engine/cancel-tasks.ts";
import { usage } from "../command.ts";
import type { AdminContext } from "./admin-context.ts";
import { openInstance } from "./open-instance.ts";

export const CANCEL_USAGE = "cancel --owner <email or id> | --workflow <id> | --root <task id>";

/** `npm run admin -- cancel …` */
export async function cancel({ config, args, log }: AdminContext): Promise<void> {
  const filter = filterOf(args);
  const { db, now, close } = await openInstance(config, log);
  try {
    const count = await cancelTasks(db, filter, now, (sofar) => log(`${sofar} tasks cancelled so far`));
    log(`${count} tasks cancelled`);
  } finally {
    await close();
  }
}

function filterOf(args: readonly string[]): CancelFilter {
  const option = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { owner: option, workflow: option, root: option },
  });
  const { owner, workflow, root } = values;
  const given = [
    ...(owner === undefined ? [] : [{ owner }]),
    ...(workflow === undefined ? [] : [{ workflow }]),
    ...(root === undefined ? [] : [{ root }]),
  ];
  const [only] = given;
  if (only === undefined || given.length > 1) throw usage("admin", CANCEL_USAGE);
  return only;
}
