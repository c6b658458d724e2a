import { expect, test } from "vitest";
import { addRow, type MemberRow, moveRow, toMembers, toRows } from "./team-form.ts";

const team = {
  agents: ["a", "b", "c"],
  externalAgents: [
    {
      name: "far",
      capabilities: ["find", "sum"],
      url: "https://agents.example/a2a",
      credential: { secret: "far_key", header: "x-api-key" },
    },
    { name: "mid", capabilities: [], url: "https://mid.example/", credential: { secret: "mid_token" } },
    { name: "near", capabilities: [] },
  ],
  memberInstructions: { b: "Check every number." },
};
const names = (rows: readonly MemberRow[]) =>
  rows.map((row) => (row.kind === "agent" ? row.agentId : row.name));

test("rows and members are the same team", () => {
  expect(toMembers(toRows(team))).toEqual(team);
});

test("a member moves among those of its kind only", () => {
  const rows = toRows(team);
  expect(names(moveRow(rows, 2, 0))).toEqual(["c", "a", "b", "far", "mid", "near"]);
  expect(names(moveRow(rows, 0, 4))).toEqual(["b", "c", "a", "far", "mid", "near"]);
  expect(names(moveRow(rows, 5, 0))).toEqual(["a", "b", "c", "near", "far", "mid"]);
  expect(names(moveRow(rows, 0, -1))).toEqual(["a", "b", "c", "far", "mid", "near"]);
});

test("an external agent has a connection or a secret, not both", () => {
  const external = { name: "x", url: "https://x.example", capabilities: [], connection: "conn_1" };
  const [row] = toRows({ agents: [], externalAgents: [external], memberInstructions: {} });
  expect(toMembers([{ ...row, secret: "left-over" } as typeof row & {}]).externalAgents).toEqual([external]);
});

test("a new agent follows the agents, a new external agent is the last", () => {
  const rows = addRow(toRows(team), { key: "d", kind: "agent", agentId: "d", instructions: "" });
  expect(names(rows)).toEqual(["a", "b", "c", "d", "far", "mid", "near"]);
  const external = { name: "x", capabilities: " a , ,b ", url: " ", secret: "", header: "", connection: "" };
  const more = addRow(rows, { key: "x", kind: "external", ...external });
  expect(toMembers(more).externalAgents.at(-1)).toEqual({ name: "x", capabilities: ["a", "b"] });
});
