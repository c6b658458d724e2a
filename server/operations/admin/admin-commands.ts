import type { AdminContext } from "./admin-context.ts";
import { cancel, CANCEL_USAGE } from "./cancel.ts";
import { administrator, ADMINISTRATOR_USAGE, confirmEmail, CONFIRM_EMAIL_USAGE } from "./account-flags.ts";
import { resetPassword, RESET_PASSWORD_USAGE } from "./reset-password.ts";
import { resetSecondFactor, RESET_SECOND_FACTOR_USAGE } from "./reset-second-factor.ts";
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
  "reset-password": {
    usage: RESET_PASSWORD_USAGE,
    summary: "prints a link with which a user chooses a new password",
    run: resetPassword,
  },
  administrator: {
    usage: ADMINISTRATOR_USAGE,
    summary: "makes an account an administrator of the instance, or no longer one",
    run: administrator,
  },
  "confirm-email": {
    usage: CONFIRM_EMAIL_USAGE,
    summary: "confirms the e-mail address of an account without a mail",
    run: confirmEmail,
  },
  "reset-second-factor": {
    usage: RESET_SECOND_FACTOR_USAGE,
    summary: "turns the second factor of a user off who lost their device and recovery codes",
    run: resetSecondFactor,
  },
};
