import type { AdminContext } from "./admin-context.ts";
import { audit, AUDIT_USAGE } from "./audit.ts";
import { cancel, CANCEL_USAGE } from "./cancel.ts";
import { administrator, ADMINISTRATOR_USAGE, confirmEmail, CONFIRM_EMAIL_USAGE } from "./account-flags.ts";
import { stop, STOP_USAGE, storage, STORAGE_USAGE, tasks, TASKS_USAGE } from "./instance-commands.ts";
import {
  deleteUser,
  DELETE_USER_USAGE,
  invite,
  INVITE_USAGE,
  setDisabled,
  USER_USAGE,
  users,
  USERS_USAGE,
} from "./user-commands.ts";
import { isRulesRead, rules, RULES_USAGE } from "./rules-command.ts";
import { resetPassword, RESET_PASSWORD_USAGE } from "./reset-password.ts";
import { resetSecondFactor, RESET_SECOND_FACTOR_USAGE } from "./reset-second-factor.ts";
import { reseal } from "./reseal.ts";

interface AdminCommand {
  /** The command with its arguments, as typed after `npm run admin --`. */
  usage: string;
  summary: string;
  /** A command that changes nothing is not in the audit log. */
  isRead?(args: readonly string[]): boolean;
  run(context: AdminContext): Promise<void>;
}

/** Every command of `npm run admin`, by name. */
export const ADMIN_COMMANDS: Readonly<Record<string, AdminCommand>> = {
  users: {
    usage: USERS_USAGE,
    summary: "lists the accounts, newest first",
    isRead: () => true,
    run: users,
  },
  invite: {
    usage: INVITE_USAGE,
    summary: "prints a link with which somebody creates an account, and mails it",
    run: invite,
  },
  disable: {
    usage: `disable ${USER_USAGE}`,
    summary: "ends every login, API key and app of an account until it is enabled",
    run: (context) => setDisabled(context, true),
  },
  enable: {
    usage: `enable ${USER_USAGE}`,
    summary: "lets a disabled account log in again",
    run: (context) => setDisabled(context, false),
  },
  "delete-user": {
    usage: DELETE_USER_USAGE,
    summary: "deletes an account and transfers or deletes its records",
    isRead: (args) => args.includes("--dry-run"),
    run: deleteUser,
  },
  tasks: {
    usage: TASKS_USAGE,
    summary: "lists the open runs, sessions and ingestions of all workspaces",
    isRead: () => true,
    run: tasks,
  },
  stop: {
    usage: STOP_USAGE,
    summary: "stops a run, a session or an ingestion, or all of a workspace",
    run: stop,
  },
  rules: {
    usage: RULES_USAGE,
    summary: "shows or sets the limits and the retention of a workspace",
    isRead: isRulesRead,
    run: rules,
  },
  storage: {
    usage: STORAGE_USAGE,
    summary: "measures what each workspace stores",
    isRead: () => true,
    run: storage,
  },
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
  audit: {
    usage: AUDIT_USAGE,
    summary: "verifies the audit logs of all workspaces and of the instance, or exports them",
    isRead: ([what]) => what === "verify",
    run: audit,
  },
  administrator: {
    usage: ADMINISTRATOR_USAGE,
    summary: "makes an account an administrator of the instance, or no longer one",
    run: administrator,
  },
  "confirm-email": {
    usage: CONFIRM_EMAIL_USAGE,
    summary: "confirms the email address of an account without a mail",
    run: confirmEmail,
  },
  "reset-second-factor": {
    usage: RESET_SECOND_FACTOR_USAGE,
    summary: "turns the second factor of a user off who lost their device and recovery codes",
    run: resetSecondFactor,
  },
};
