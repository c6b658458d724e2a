import type { ChangeUser, UserDeletion } from "../../contract/admin-users.ts";
import type { AccountDeletionStore } from "../accounts/account-deletion.sql.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, invalidRequest } from "../lib/errors.ts";
import type { Transfer } from "./user-transfer.sql.ts";
import type { UserRecord, UserStore } from "./user.sql.ts";

export interface UsersDeps {
  store: UserStore;
  setAdministrator(id: string, isAdministrator: boolean): Promise<boolean>;
  findPasswordHash(id: string): Promise<string | undefined>;
  deletions: Pick<AccountDeletionStore, "begin">;
  transfer(transfer: Transfer): Promise<boolean>;
  clock: Pick<Clock, "now">;
  /** Logins, sockets and streams of this user have ended, in every process. */
  loginsEnded(userId: string): void;
  membersChanged(workspaceId: string): void;
  /** The set of disabled accounts has changed. */
  disabledChanged(): Promise<void>;
  /** A deletion was stored. */
  onDeletion(): void;
}

export interface Removal {
  transferTo?: string | undefined;
  deleteRecords?: boolean;
}

export type Users = ReturnType<typeof createUsers>;

/** What an administrator does with accounts, in the service and with `npm run admin`. */
export function createUsers(deps: UsersDeps) {
  const { store, clock } = deps;

  async function report(id: string, { transferTo }: Removal): Promise<UserDeletion> {
    await store.get(id);
    const workspaces = await store.listWorkspaces(id);
    const outcomeOf = ({ role, others, owners }: (typeof workspaces)[number]) => {
      if (others === 0) return transferTo === undefined ? "deleted" : "transferred";
      if (role !== "owner" || owners > 0) return "kept";
      return transferTo === undefined ? "needs_owner" : "transferred";
    };
    return {
      records: await store.countRecords(id),
      workspaces: workspaces.map((workspace) => ({
        id: workspace.id,
        name: workspace.name,
        members: workspace.others,
        outcome: outcomeOf(workspace),
      })),
      apiKeys: await store.countKeys(id),
      connectedApps: await store.countApps(id),
    };
  }

  async function assertReceivers(id: string, transferTo: string): Promise<void> {
    if (transferTo === id)
      throw invalidRequest("The records cannot be transferred to the user who is deleted.", [
        { path: "transferTo", message: "must be another user or workspace" },
      ]);
    if (await store.canReceive(transferTo, id)) return;
    throw invalidRequest(
      "There is no user or workspace with this id, or none of its owners can log in. Use the id of another one.",
      [{ path: "transferTo", message: "must be a user, or a workspace with an owner" }],
    );
  }

  async function transfer(user: UserRecord, to: string): Promise<void> {
    const name = `${user.name ?? user.email} (transferred)`;
    if (!(await deps.transfer({ userId: user.id, to, name, now: clock.now() }))) throw lastAdministrator();
  }

  /** Also deletes the personal workspace. */
  async function deleteAll(user: UserRecord, { workspaces }: UserDeletion): Promise<void> {
    const held = workspaces.filter(({ outcome }) => outcome === "needs_owner");
    const passwordHash = await deps.findPasswordHash(user.id);
    const isBegun =
      held.length === 0 &&
      passwordHash !== undefined &&
      (await deps.deletions.begin(user.id, passwordHash, clock.now()));
    if (!isBegun)
      throw new AppError(
        "last_owner",
        `${user.email} is the only owner of workspaces with other members: ${held.map(({ name }) => name).join(", ")}. Transfer them with transferTo, or make another member an owner.`,
        { details: { workspaces: held.map(({ id, name }) => ({ id, name })) } },
      );
    deps.onDeletion();
  }

  return {
    list: store.list,
    get: store.get,
    report,

    async change(id: string, { disabled, isAdministrator }: ChangeUser): Promise<UserRecord> {
      await store.get(id);
      if (isAdministrator !== undefined && !(await deps.setAdministrator(id, isAdministrator)))
        throw lastAdministrator();
      if (disabled === true && !(await store.disable(id, clock.now()))) throw lastAdministrator();
      if (disabled === false) await store.enable(id);
      if (disabled !== undefined) {
        // Before the query below, which may fail: the logins must end in any case.
        deps.loginsEnded(id);
        await deps.disabledChanged();
        // In every workspace of the user: the approvers of steps have changed.
        deps.membersChanged("");
      }
      return store.get(id);
    },

    async remove(id: string, removal: Removal): Promise<UserDeletion> {
      const user = await store.get(id);
      const { transferTo, deleteRecords = false } = removal;
      if ((transferTo === undefined) === !deleteRecords)
        throw invalidRequest(
          "Name who gets the records of the user with transferTo, or delete them with deleteRecords=true.",
          [{ path: "transferTo", message: "is required, or deleteRecords" }],
        );
      if (transferTo !== undefined) await assertReceivers(id, transferTo);
      if (user.isAdministrator && !(await store.hasOtherAdministrator(id))) throw lastAdministrator();
      const deletion = await report(id, removal);
      if (transferTo === undefined) await deleteAll(user, deletion);
      else await transfer(user, transferTo);
      deps.loginsEnded(id);
      await deps.disabledChanged();
      for (const workspace of deletion.workspaces) deps.membersChanged(workspace.id);
      return deletion;
    },
  };
}

function lastAdministrator(): AppError {
  return new AppError(
    "last_administrator",
    "This is the last administrator who can log in. Make another account an administrator first.",
  );
}
