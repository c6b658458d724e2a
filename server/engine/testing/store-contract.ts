import { describe } from "vitest";
import type { EngineStore } from "../store.ts";
import type { Db } from "../../storage/db.ts";
import { createEngineStore } from "../../storage/engine/engine-store.ts";
import { acceptingContract } from "./store-contract-accepting.ts";
import { approversContract } from "./store-contract-approvers.ts";
import { badRowsContract } from "./store-contract-bad-rows.ts";
import { claimingContract } from "./store-contract-claiming.ts";
import { decidingContract } from "./store-contract-deciding.ts";
import { recordingContract } from "./store-contract-recording.ts";

/** What the engine requires of every database. `openDb` returns a migrated, empty one. */
export function engineStoreContract(name: string, openDb: () => Promise<Db>): void {
  const open = async (): Promise<EngineStore> => createEngineStore(await openDb());

  describe(`the engine's store on ${name}`, () => {
    acceptingContract(openDb);
    recordingContract(openDb);
    claimingContract(open);
    decidingContract(open);
    approversContract(open);
    badRowsContract(openDb);
  });
}
