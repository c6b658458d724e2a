import type { Role } from "../../../contract/roles.ts";
import type { TransferNeeds } from "../../../contract/transfers.ts";
import { invalidRequest } from "../../lib/errors.ts";
import { assertRole, notMember } from "../../security/roles.ts";
import type { Workflows } from "../workflows.ts";
import type { NeedStore } from "./needs.sql.ts";

export interface TransfersDeps {
  workflows: Pick<Workflows, "get" | "export" | "create" | "remove">;
  needs: NeedStore;
  roleOf(workspaceId: string, userId: string): Promise<Role | undefined>;
}

interface Transfer {
  workspaceId: string;
  userId: string;
  workflowId: string;
  targetId: string;
  dryRun: boolean;
}

interface Transferred {
  workflowId: string | null;
  needed: TransferNeeds;
}

export type Transfers = ReturnType<typeof createTransfers>;

/** Takes a workflow with its history to another workspace. Credentials and values of variables stay where they are. */
export function createTransfers({ workflows, needs, roleOf }: TransfersDeps) {
  async function copy({ workspaceId, userId, workflowId, targetId, dryRun }: Transfer): Promise<Transferred> {
    const { metadata, apiSettings, form } = await workflows.get(workspaceId, workflowId);
    if (targetId === workspaceId)
      throw invalidRequest("The workflow is in this workspace already. Name another one.", [
        { path: "workspaceId", message: "must be another workspace" },
      ]);
    const role = await roleOf(targetId, userId);
    if (role === undefined) throw notMember();
    assertRole(role, "builder");
    const needed: TransferNeeds = {
      ...(await needs.find({ ownerId: workspaceId, workflowId, metadata }, targetId)),
      endpoint: apiSettings.enabled || form?.enabled === true,
    };
    if (dryRun) return { workflowId: null, needed };
    const { name, description, tags, versions } = await workflows.export(workspaceId, workflowId);
    const history = versions.map((entry, index) => ({
      ...entry,
      version: index + 1,
      createdAt: Date.parse(entry.createdAt),
    }));
    const given = {
      name,
      description,
      metadata,
      tags,
      history,
      // Nothing starts it before the other workspace has what it needs.
      apiSettings: { ...apiSettings, enabled: false, endpointName: null },
      form: form && { ...form, enabled: false },
      note: `Copied from another workspace`,
    };
    const { workflow } = await workflows.create(targetId, given, userId, metadata);
    return { workflowId: workflow.id, needed };
  }

  return {
    copy,

    /** Deleted here only after it exists there: a crash in between leaves two, never none. */
    async move(transfer: Transfer): Promise<Transferred> {
      const transferred = await copy(transfer);
      if (!transfer.dryRun) await workflows.remove(transfer.workspaceId, transfer.workflowId);
      return transferred;
    },
  };
}
