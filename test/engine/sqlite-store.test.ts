import { openDb } from "./open-engine.ts";
import { engineStoreContract } from "./store-contract.ts";

engineStoreContract("SQLite", async () => (await openDb()).db);
