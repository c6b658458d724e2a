import { usePostgres } from "../support/postgres.ts";
import { engineStoreContract } from "./store-contract.ts";

engineStoreContract("PostgreSQL", () => usePostgres());
