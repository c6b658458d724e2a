import { openDb } from "../testing/open-engine.ts";
import { engineStoreContract } from "../testing/store-contract.ts";

engineStoreContract("SQLite", async () => (await openDb()).db);
