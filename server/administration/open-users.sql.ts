import { randomUUID } from "node:crypto";
import { createAccountDeletionStore } from "../accounts/account-deletion.sql.ts";
import { createAccountStore, setAdministrator } from "../accounts/account.sql.ts";
import type { Clock } from "../lib/clock.ts";
import type { Db } from "../storage/db.ts";
import { DELETION_CHANNEL } from "../workspaces/part.ts";
import { transferAndDelete } from "./user-transfer.sql.ts";
import { createUserStore } from "./user.sql.ts";
import { createUsers, type Users, type UsersDeps } from "./users.ts";

/** On a database, with what the caller does so that every process learns of the changes. */
export function openUsers(
  db: Db,
  clock: Pick<Clock, "now">,
  events: Pick<UsersDeps, "loginsEnded" | "membersChanged" | "disabledChanged">,
): Users {
  const accounts = createAccountStore(db);
  return createUsers({
    store: createUserStore(db),
    setAdministrator: (id, isAdministrator) => setAdministrator(db, id, isAdministrator),
    findPasswordHash: async (id) => (await accounts.findById(id))?.passwordHash,
    deletions: createAccountDeletionStore(db),
    transfer: (transfer) => transferAndDelete(db, transfer),
    clock,
    // Every message is unique: the database drops a repeated one.
    onDeletion: () => db.notify(DELETION_CHANNEL, randomUUID()),
    ...events,
  });
}
