import type { Part, Platform } from "../../platform/part.ts";
import type { FileCopies } from "../../run-files/file-copies.ts";
import type { Memberships } from "../../workspaces/memberships.ts";
import type { Workflows } from "../workflows.ts";
import { createHistoryMoves } from "./history-moves.ts";
import { createHistoryStore } from "./move-history.sql.ts";
import { createMoveStore } from "./move.sql.ts";
import { createNeedStore } from "./needs.sql.ts";
import { transferRoutes } from "./transfer.routes.ts";
import { createTransfers } from "./transfers.ts";

const CLAIM_MS = 60_000;

/** Copies and moves workflows between workspaces. */
export function createTransfersPart(
  { db, box, clock, report }: Platform,
  workflows: Workflows,
  memberships: Pick<Memberships, "roleOf">,
  files: FileCopies,
): Part {
  const history = createHistoryMoves({
    store: createHistoryStore(db),
    files,
    clock,
    claimMs: db.dialect === "postgres" ? CLAIM_MS : 0,
    onError: (error) => report(error, "moving the runs of a workflow"),
  });
  const transfers = createTransfers({
    workflows,
    needs: createNeedStore(db),
    moves: createMoveStore(db, box),
    history,
    clock,
    roleOf: memberships.roleOf,
  });
  return {
    routes: (http) => transferRoutes(http, transfers),
    start: history.start,
    close: history.close,
    async eraseOwner(ownerId) {
      await db.batch([{ sql: "delete from workflow_move where owner_id = $ownerId", params: { ownerId } }]);
    },
  };
}
