import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import type { UserDeletion } from "../../../contract/admin-users.ts";
import { openAccountInvitations } from "../../accounts/invitations/open-account-invitations.sql.ts";
import { openUsers } from "../../administration/open-users.sql.ts";
import type { Users } from "../../administration/users.ts";
import { RULES_CHANNEL } from "../../administration/workspace-rules.ts";
import { toIso } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import { usage } from "../command.ts";
import type { AdminContext } from "./admin-context.ts";
import { findAccount } from "./find-account.ts";
import { type Instance, openInstance } from "./open-instance.ts";

export const USER_USAGE = "<email or id> [--json]";
export const USERS_USAGE = "users [--search <text>] [--status active|disabled] [--json]";
export const INVITE_USAGE = "invite [email] [--json]";
export const DELETE_USER_USAGE =
  "delete-user <email or id> --transfer-to <user or workspace> | --delete-records [--dry-run] [--json]";

const json = { type: "boolean" } as const;
const text = { type: "string" } as const;
/** In one query; the command reads all pages. */
const BATCH_SIZE = 200;

/** Every process of the service learns of a change, as when an administrator makes it on the page. */
function usersOf({ db, clock }: Instance): Users {
  // Every message is unique: the database drops a repeated one.
  const notify = (channel: string, id: string) => db.notify(channel, `${id} ${randomUUID()}`);
  return openUsers(db, clock, {
    loginsEnded: (userId) => notify("login", userId),
    membersChanged: (workspaceId) => notify("membership", workspaceId),
    disabledChanged: () => Promise.resolve(db.notify(RULES_CHANNEL, randomUUID())),
  });
}

/** `npm run admin -- users …` */
export async function users({ config, args, log, print }: AdminContext): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { search: text, status: text, json } });
  const { search, status } = values;
  if (status !== undefined && status !== "active" && status !== "disabled") throw usage("admin", USERS_USAGE);
  const instance = await openInstance(config, log);
  try {
    const found = [];
    let cursor: string | undefined;
    do {
      const page = await usersOf(instance).list({ search, status, limit: BATCH_SIZE, cursor });
      found.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    if (values.json === true) return print(JSON.stringify({ users: found }, null, 2));
    for (const user of found) {
      const marks = [
        ...(user.isAdministrator ? ["administrator"] : []),
        ...(user.disabledAt === null ? [] : ["disabled"]),
        ...(user.twoFactor ? ["second factor"] : []),
      ];
      const login = user.lastLoginAt === null ? "never logged in" : `last login ${toIso(user.lastLoginAt)}`;
      log([user.email, user.id, login, ...marks].join(", "));
    }
    log(`${found.length} accounts`);
  } finally {
    await instance.close();
  }
}

/** `npm run admin -- invite …` */
export async function invite({ config, args, log, print }: AdminContext): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: { json }, allowPositionals: true });
  const [email, ...rest] = positionals;
  if (rest.length > 0 || (email !== undefined && !/^\S+@\S+$/.test(email)))
    throw usage("admin", INVITE_USAGE);
  const instance = await openInstance(config, log);
  try {
    const invitations = openAccountInvitations(instance.db, instance.clock, config, (error) =>
      log(`The mail was not sent: ${messageOf(error)}`),
    );
    const { url, mailed } = await invitations.create(null, email?.toLowerCase() ?? null);
    if (values.json === true) return print(JSON.stringify({ url, mailed }, null, 2));
    if (mailed) log(`Mailed to ${email}.`);
    log(`${email ?? "Anyone with this link"} creates an account at this address within seven days:`);
    log(url);
  } finally {
    await instance.close();
  }
}

/** `npm run admin -- disable …` and `… enable …` */
export async function setDisabled(
  { config, args, log, print }: AdminContext,
  disabled: boolean,
): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: { json }, allowPositionals: true });
  const [user, ...rest] = positionals;
  if (user === undefined || rest.length > 0)
    throw usage("admin", `${disabled ? "disable" : "enable"} ${USER_USAGE}`);
  const instance = await openInstance(config, log);
  try {
    const { id } = await findAccount(instance.db, user);
    const changed = await usersOf(instance).change(id, { disabled });
    if (values.json === true) return print(JSON.stringify({ user: changed }, null, 2));
    log(`${changed.email} is ${disabled ? "disabled" : "enabled"}.`);
  } finally {
    await instance.close();
  }
}

/** `npm run admin -- delete-user …` */
export async function deleteUser({ config, args, log, print }: AdminContext): Promise<void> {
  const options = { "transfer-to": text, "delete-records": json, "dry-run": json, json };
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [user, ...rest] = positionals;
  const receiver = values["transfer-to"];
  const deleteRecords = values["delete-records"] === true;
  const isDryRun = values["dry-run"] === true;
  const isDecided = (receiver !== undefined) !== deleteRecords;
  if (user === undefined || rest.length > 0 || (!isDecided && !isDryRun))
    throw usage("admin", DELETE_USER_USAGE);
  const instance = await openInstance(config, log);
  try {
    const { id, email } = await findAccount(instance.db, user);
    const isAccount = receiver?.includes("@") === true;
    const transferTo = isAccount ? (await findAccount(instance.db, receiver)).id : receiver;
    const all = usersOf(instance);
    const removal = { transferTo, deleteRecords };
    const deletion = await (isDryRun ? all.report(id, removal) : all.remove(id, removal));
    if (values.json === true) return print(JSON.stringify({ dryRun: isDryRun, deletion }, null, 2));
    for (const line of linesOf(deletion)) log(line);
    log(isDryRun ? "Nothing was changed." : `${email} is deleted.`);
    if (deleteRecords && !isDryRun) log("The running service deletes the records, or the next start does.");
  } finally {
    await instance.close();
  }
}

function linesOf({ records, workspaces, apiKeys, connectedApps }: UserDeletion): string[] {
  const counts = Object.entries(records).map(([kind, count]) => `${count} ${kind}`);
  return [
    `Personal workspace: ${counts.join(", ")}`,
    ...workspaces.map(
      ({ id, name, members, outcome }) => `${name} (${id}), ${members} other members: ${outcome}`,
    ),
    `${apiKeys} API keys and ${connectedApps} connected apps end.`,
  ];
}
