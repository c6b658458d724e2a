import type { TransferNeeds } from "../../contract/transfers.ts";
import type { Clock } from "../lib/clock.ts";
import type { NeedStore } from "./needs.sql.ts";
import type { RecordKind } from "./record-kinds.ts";
import type { RecordStore, RecordTransfer } from "./records.sql.ts";
import type { AssertTarget, KindTransfers, Transfer } from "./transfer.ts";
import { transferConflict } from "./transfer-conflict.ts";

export interface RecordTransfersDeps {
  records: RecordStore;
  needs: NeedStore;
  clock: Clock;
  assertTarget: AssertTarget;
}

/** What a kind does besides its statements. */
export interface RecordHooks {
  /** In place of one statement. */
  copy?(transfer: RecordTransfer): Promise<string | undefined>;
  /** True while something of the record is still in the former workspace. */
  afterMove?(id: string): Promise<boolean>;
}

/** Takes records of one kind to another workspace. */
export function createRecordTransfers(
  kind: RecordKind,
  { records, needs, clock, assertTarget }: RecordTransfersDeps,
  { copy = (transfer) => records.copy(kind, transfer), afterMove }: RecordHooks = {},
): KindTransfers {
  /** Throws when the record or a right is missing. */
  async function begin(transfer: Transfer) {
    const { workspaceId: sourceId, id, targetId, userId } = transfer;
    const { text, secrets } = await records.read(kind, { id, sourceId });
    await assertTarget(transfer);
    const needed: TransferNeeds = {
      ...(await needs.find({ ownerId: sourceId, recordId: id, text, secrets }, targetId)),
      endpoint: false,
    };
    return { needed, found: { id, sourceId, targetId, userId, now: clock.now() } };
  }

  /** Runs the write, unless a conflict is found before it or has appeared since. */
  async function write<T>(
    transfer: Transfer,
    verb: "copy" | "move",
    found: RecordTransfer,
    act: () => Promise<T | undefined>,
  ): Promise<T> {
    const conflictsNow = () => records.findConflicts(kind, found, verb);
    const conflicts = await conflictsNow();
    if (conflicts.length > 0) throw transferConflict(kind.noun, conflicts);
    try {
      const done = await act();
      if (done !== undefined) return done;
    } catch (error) {
      // A unique name may be taken between the check and the write.
      const appeared = await conflictsNow();
      throw appeared.length === 0 ? error : transferConflict(kind.noun, appeared);
    }
    await begin(transfer);
    throw transferConflict(kind.noun, await conflictsNow());
  }

  return {
    async copy(transfer) {
      const { needed, found } = await begin(transfer);
      if (transfer.dryRun)
        return { id: null, needed, conflicts: await records.findConflicts(kind, found, "copy") };
      const id = await write(transfer, "copy", found, () => copy(found));
      return { id, needed, conflicts: [] };
    },

    async move(transfer) {
      const { needed, found } = await begin(transfer);
      const { id } = transfer;
      const report = { needed, usedBy: await needs.findUses(found.sourceId, id) };
      if (transfer.dryRun) {
        const conflicts = await records.findConflicts(kind, found, "move");
        return { id: null, ...report, conflicts, isMoving: false };
      }
      await write(transfer, "move", found, async () => (await records.move(kind, found)) || undefined);
      return { id, ...report, conflicts: [], isMoving: (await afterMove?.(id)) ?? false };
    },
  };
}
