import type { Connection } from "../../contract/connections.ts";
import { useAll } from "./pages.ts";

export type { Connection };

export function useConnections() {
  return useAll({ noun: "connections", path: "/api/connections" });
}
