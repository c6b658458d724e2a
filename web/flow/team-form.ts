import type { ExternalAgent, Team } from "../../contract/teams.ts";

/** One member of a team in the form. Rows have their own keys: names change while they are typed. */
export type MemberRow =
  | { key: string; kind: "agent"; agentId: string; instructions: string }
  | {
      key: string;
      kind: "external";
      name: string;
      capabilities: string;
      url: string;
      /** The name of a secret variable; empty for none. */
      secret: string;
      /** Empty for a bearer token. */
      header: string;
      /** The id of a connection, in place of a secret; empty for none. */
      connection: string;
    };

type Members = Pick<Team, "agents" | "externalAgents" | "memberInstructions">;

export function toRows({ agents, externalAgents, memberInstructions }: Members): MemberRow[] {
  return [
    ...agents.map((agentId): MemberRow => ({
      key: agentId,
      kind: "agent",
      agentId,
      instructions: memberInstructions[agentId] ?? "",
    })),
    ...externalAgents.map(
      ({ name, capabilities, url = "", credential, connection = "" }, index): MemberRow => ({
        key: `external-${index}`,
        kind: "external",
        name,
        capabilities: capabilities.join(", "),
        url,
        secret: credential?.secret ?? "",
        header: credential?.header ?? "",
        connection,
      }),
    ),
  ];
}

export function toMembers(rows: readonly MemberRow[]): Members {
  const agents: string[] = [];
  const memberInstructions: Record<string, string> = {};
  const externalAgents: ExternalAgent[] = [];
  for (const row of rows) {
    if (row.kind === "agent") {
      agents.push(row.agentId);
      if (row.instructions.trim() !== "") memberInstructions[row.agentId] = row.instructions.trim();
    } else
      externalAgents.push({
        name: row.name.trim(),
        capabilities: row.capabilities
          .split(",")
          .map((each) => each.trim())
          .filter((each) => each !== ""),
        ...(row.url.trim() === "" ? {} : { url: row.url.trim() }),
        ...(row.connection === "" ? {} : { connection: row.connection }),
        ...(row.secret === "" || row.connection !== ""
          ? {}
          : { credential: toCredential(row.secret, row.header.trim()) }),
      });
  }
  return { agents, externalAgents, memberInstructions };
}

function toCredential(secret: string, header: string): ExternalAgent["credential"] {
  return header === "" ? { secret } : { secret, header };
}

/** Agents come before external agents: the service keeps them in two lists. */
export function addRow(rows: readonly MemberRow[], row: MemberRow): MemberRow[] {
  return row.kind === "external"
    ? [...rows, row]
    : [
        ...rows.filter(({ kind }) => kind === "agent"),
        row,
        ...rows.filter(({ kind }) => kind === "external"),
      ];
}

/** Moves a row to another place among those of its kind; further is the end of its kind. */
export function moveRow(rows: readonly MemberRow[], from: number, to: number): MemberRow[] {
  const row = rows[from];
  if (row === undefined) return [...rows];
  const first = rows.findIndex(({ kind }) => kind === row.kind);
  const last = rows.findLastIndex(({ kind }) => kind === row.kind);
  const others = rows.filter((_, index) => index !== from);
  return others.toSpliced(Math.min(Math.max(to, first), last), 0, row);
}
