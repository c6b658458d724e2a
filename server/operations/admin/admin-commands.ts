import type { AdminContext } from "./admin-context.ts";
import { cancel, CANCEL_USAGE } from "./cancel.ts";
import { reseal } from "./reseal.ts";

interface AdminCommand {
  /** The command with its arguments, as typed after `npm run admin --`. */
  usage: string;
  summary: string;
  run(context: AdminContext): Promise<void>;
}

/** Every command of `npm run admin`, by name. */
export const ADMIN_COMMANDS: Readonly<Record<string, AdminCommand>> = {
  cancel: {
    usage: CANCEL_USAGE,
    summary: "ends the unfinished tasks of an owner, a workflow or a run",
    run: cancel,
  },
  reseal: {
    usage: "reseal",
    summary: "encrypts every stored secret with the newest key of ENCRYPTION_KEY",
    run: reseal,
  },
};
