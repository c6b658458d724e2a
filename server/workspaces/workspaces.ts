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
  async function get(userId: string, id: string): Promise<WorkspaceRecord> {
    const workspace = await store.find(id, userId);
    if (workspace === undefined) throw notFound("workspace");
    return workspace;
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
      return get(userId, workspace.id);
    },

    async rename(userId: string, id: string, name: string): Promise<WorkspaceRecord> {
      const { kind } = await get(userId, id);
      if (kind === "personal") throw personalWorkspace("A personal workspace keeps its name.");
      await store.rename(id, name.trim());
      return get(userId, id);
    },

    async remove(userId: string, id: string): Promise<void> {
      const { kind } = await get(userId, id);
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
