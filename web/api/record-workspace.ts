import { useQuery } from "@tanstack/react-query";
import { useWorkspace } from "./accounts.ts";
import { request } from "./client.ts";
import type { ResponseName } from "./responses.ts";

/** Screens of single records: the response and the route of the record. */
const RECORDS: Readonly<Record<string, readonly [ResponseName, string]>> = {
  workflows: ["workflow", "/api/workflows"],
  runs: ["task", "/api/tasks"],
  agents: ["agent", "/api/agents"],
  teams: ["team", "/api/agent-teams"],
};

/** The other workspace of the person that has the record at this location; undefined when none has it. */
export function useRecordWorkspace(location: string) {
  const { workspace, workspaces } = useWorkspace();
  const [, section = "", id = ""] = location.split("/");
  const others = workspaces.filter((other) => other.id !== workspace?.id);
  const record = RECORDS[section];
  return useQuery({
    queryKey: ["record-workspace", section, id],
    enabled: record !== undefined && id !== "" && others.length > 0,
    retry: false,
    async queryFn() {
      const [name, path] = record!;
      const found = await Promise.all(
        others.map(async (other) => {
          const headers = { "x-workspace": other.id };
          return request(name, `${path}/${id}`, { headers }).then(
            () => other,
            () => undefined,
          );
        }),
      );
      return found.find((other) => other !== undefined) ?? null;
    },
  }).data;
}
