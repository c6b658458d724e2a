import type { Role } from "../../contract/roles.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import type { Memberships } from "./memberships.ts";
import type { WorkspaceRecord, WorkspaceStore } from "./workspace.sql.ts";

export interface WorkspacesDeps {
  store: WorkspaceStore;
  memberships: Pick<Memberships, "changed">;
  clock: Clock;
  /** A deletion has been stored. */
  onDeletion(): void;
}

/** Every workspace has its own shares of the machine, so one person must not create them without bound. */
const MAX_OWNED = 50;

export type Workspaces = ReturnType<typeof createWorkspaces>;

export function createWorkspaces({ store, memberships, clock, onDeletion }: WorkspacesDeps) {
  /** `role` is the role of the requester, already checked by the route. */
  async function get(id: string, role: Role): Promise<WorkspaceRecord> {
    const workspace = await store.find(id);
    if (workspace === undefined) throw notFound("workspace", id);
    return { ...workspace, role };
  }

  return {
    get,
    listOf: store.listOf,

    async create(userId: string, name: string): Promise<WorkspaceRecord> {
      const workspace = { id: createId("ws", clock.now()), name: name.trim(), createdAt: clock.now() };
      if (!(await store.insert(workspace, userId, MAX_OWNED)))
        throw new AppError(
          "limit_reached",
          `You own ${MAX_OWNED} workspaces, which is the most. Delete one that you no longer need.`,
        );
      return get(workspace.id, "owner");
    },

    async rename(id: string, role: Role, name: string): Promise<WorkspaceRecord> {
      const { kind } = await get(id, role);
      if (kind === "personal") throw personalWorkspace("A personal workspace keeps its name.");
      await store.rename(id, name.trim());
      return get(id, role);
    },

    async remove(id: string): Promise<void> {
      const { kind } = await get(id, "owner");
      if (kind === "personal")
        throw personalWorkspace("Your personal workspace is deleted together with your account.");
      await store.beginDeletion(id, clock.now());
      memberships.changed(id);
      onDeletion();
    },
  };
}

export function personalWorkspace(message: string): AppError {
  return new AppError("personal_workspace", message);
}
