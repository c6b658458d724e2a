import type { TransferConflict, TransferKind } from "../../contract/transfers.ts";
import { AppError } from "../lib/errors.ts";

const ADVICE: Readonly<Record<TransferConflict["kind"], string>> = {
  run: "Wait until its runs have ended, or cancel them.",
  session: "Wait until its sessions have ended, or cancel them.",
  webhook: "Change the source of the webhook here or there.",
  exposure: "Change the name for clients here or there.",
  document: "The other workspace has a document with the same file.",
  ingestion: "Wait until the document is indexed.",
  move: "An earlier move has not ended; try again in a minute.",
};

export function transferConflict(kind: TransferKind, conflicts: readonly TransferConflict[]): AppError {
  const [first] = conflicts;
  const advice = first === undefined ? "It was changed at the same time; try again." : ADVICE[first.kind];
  return new AppError("transfer_conflict", `The ${kind} cannot be copied or moved now. ${advice}`, {
    details: { conflicts },
  });
}
