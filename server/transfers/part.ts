import type { TransferKind } from "../../contract/transfers.ts";
import type { DocumentsPart } from "../documents/part.ts";
import type { Part, Platform } from "../platform/part.ts";
import type { FileCopies } from "../run-files/file-copies.ts";
import type { Drafts } from "../workflows/drafts.ts";
import type { Workflows } from "../workflows/workflows.ts";
import type { Memberships } from "../workspaces/memberships.ts";
import { createNeedStore } from "./needs.sql.ts";
import { RECORD_KINDS } from "./record-kinds.ts";
import { createRecordTransfers } from "./record-transfers.ts";
import { createRecordStore } from "./records.sql.ts";
import { createTeamSessionMoves } from "./team-sessions.ts";
import { createTeamSessionStore } from "./team-sessions.sql.ts";
import { createAssertTarget, type KindTransfers } from "./transfer.ts";
import { transferRoutes } from "./transfer.routes.ts";
import { createHistoryMoves } from "./workflow/history-moves.ts";
import { createHistoryStore } from "./workflow/move-history.sql.ts";
import { createMoveStore } from "./workflow/move.sql.ts";
import { createWorkflowTransfers } from "./workflow/workflow-transfers.ts";

const CLAIM_MS = 60_000;

export interface TransfersDeps {
  workflows: Workflows;
  drafts: Pick<Drafts, "find">;
  memberships: Pick<Memberships, "roleOf" | "endConnections">;
  documents: Pick<DocumentsPart, "documents" | "copyDocument">;
  /** Copies files between steps. */
  runFiles: FileCopies;
}

/** Copies and moves records between workspaces. */
export function createTransfersPart(
  { db, box, clock, report }: Platform,
  { workflows, drafts, memberships, documents, runFiles }: TransfersDeps,
): Part {
  const history = createHistoryMoves({
    store: createHistoryStore(db),
    files: runFiles,
    clock,
    claimMs: db.dialect === "postgres" ? CLAIM_MS : 0,
    onError: (error) => report(error, "moving the runs of a workflow"),
  });
  const sessions = createTeamSessionMoves({
    store: createTeamSessionStore(db),
    clock,
    onError: (error) => report(error, "moving the sessions of a team"),
  });
  const assertTarget = createAssertTarget(memberships.roleOf);
  const needs = createNeedStore(db);
  const deps = { records: createRecordStore(db), needs, clock, assertTarget };
  const transfers: Readonly<Record<TransferKind, KindTransfers>> = {
    workflow: createWorkflowTransfers({
      workflows,
      drafts,
      needs,
      moves: createMoveStore(db, box),
      history,
      clock,
      assertTarget,
    }),
    agent: createRecordTransfers(RECORD_KINDS.agent, deps),
    team: createRecordTransfers(RECORD_KINDS.team, deps, { afterMove: sessions.advance }),
    template: createRecordTransfers(RECORD_KINDS.template, deps),
    document: createRecordTransfers(RECORD_KINDS.document, deps, {
      copy: documents.copyDocument,
      async afterMove(id) {
        documents.documents.onMoved(id);
        return true;
      },
    }),
  };
  return {
    routes: (http) => transferRoutes(http, transfers, memberships.endConnections),
    start() {
      history.start();
      sessions.start();
    },
    async close() {
      await history.close();
      await sessions.close();
    },
    async eraseOwner(ownerId) {
      await db.batch([{ sql: "delete from workflow_move where owner_id = $ownerId", params: { ownerId } }]);
    },
  };
}
