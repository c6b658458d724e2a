import { describe, expect, test } from "vitest";
import type { Member } from "../../../contract/approvers.ts";
import { transformStep as value } from "../../../test/support/graphs.ts";
import type { Engine } from "../engine-api.ts";
import { crashingStore } from "../testing/crashing-store.ts";
import { reaches, start } from "../testing/gated.ts";
import { type Bench, openBench } from "../testing/open-engine.ts";

const member = (id: string, role: Member["role"] = "operator"): Member => ({
  id,
  name: id.toUpperCase(),
  email: `${id}@example.com`,
  role,
});
const members = [member("ann", "admin"), member("bob"), member("cid"), member("eve", "viewer")];
const listMembers = () => Promise.resolve(members);
const ask = (more: object) => ({ stepId: "ask", type: "approval", message: "Go?", ...more });
const answer = (userId: string, more: object = {}) =>
  ({ decision: "approve", comment: null, data: null, decidedBy: userId, userId, ...more }) as const;

async function asked(more: object, options: Partial<Parameters<Bench["engine"]>[0]> = {}) {
  const bench = await openBench();
  const engine = await bench.engine({ listMembers, ...options });
  const taskId = await start(bench, engine, "w", [ask(more), value("end", "{{steps.ask.output}}")]);
  return { bench, engine, taskId };
}

async function errorOf({ bench, engine, taskId }: { bench: Bench; engine: Engine; taskId: string }) {
  await reaches(bench, taskId, "failed");
  return (await engine.read(taskId))!.task.error;
}

describe("approvers", () => {
  test("decide together: the run continues with the last approval, and its output names them all", async () => {
    const { bench, engine, taskId } = await asked({
      approvers: ["Bob@Example.com", "role:admin"],
      requiredApprovals: 2,
    });
    await reaches(bench, taskId, "waiting_approval");
    expect(await engine.decide(taskId, answer("bob", { comment: "fine", data: { account: 7 } }))).toBe(
      "waiting_approval",
    );
    expect((await bench.store.task(taskId))?.status).toBe("waiting_approval");
    expect(await engine.decide(taskId, answer("ann", { via: "mcp" }))).toBe("running");
    await reaches(bench, taskId, "completed");
    const at = expect.any(String) as string;
    expect((await engine.read(taskId))!.task.result?.output).toEqual({
      decision: "approve",
      comment: null,
      decidedBy: "ann",
      data: null,
      decisions: [
        {
          by: { id: "bob", name: "BOB", email: "bob@example.com" },
          decision: "approve",
          comment: "fine",
          via: "page",
          at,
          data: { account: 7 },
        },
        {
          by: { id: "ann", name: "ANN", email: "ann@example.com" },
          decision: "approve",
          comment: null,
          via: "mcp",
          at,
        },
      ],
    });
  });

  test("who are not named, who have decided, or who are not known are refused", async () => {
    const { bench, engine, taskId } = await asked({
      approvers: "ann@example.com, bob@example.com",
      requiredApprovals: 2,
    });
    await reaches(bench, taskId, "waiting_approval");
    for (const stranger of [answer("cid"), answer("nobody"), { ...answer("bob"), userId: undefined }])
      await expect(engine.decide(taskId, stranger)).rejects.toMatchObject({
        code: "forbidden",
        message: expect.stringContaining("ann@example.com, bob@example.com"),
      });
    await engine.decide(taskId, answer("bob"));
    for (const decision of ["approve", "reject"])
      await expect(engine.decide(taskId, answer("bob", { decision }))).rejects.toMatchObject({
        code: "already_decided",
      });
    expect(await engine.decisions(taskId, 9)).toHaveLength(1);
    await engine.decide(taskId, answer("ann"));
    await expect(engine.decide(taskId, answer("ann"))).rejects.toMatchObject({ code: "task_not_waiting" });
  });

  test("that are not listed are all members who may approve, and one rejection ends the wait", async () => {
    const { bench, engine, taskId } = await asked({ requiredApprovals: 3 });
    await reaches(bench, taskId, "waiting_approval");
    await engine.decide(taskId, answer("cid"));
    await expect(engine.decide(taskId, answer("eve"))).rejects.toMatchObject({ code: "forbidden" });
    expect(await engine.decide(taskId, answer("bob", { decision: "reject", comment: "too dear" }))).toBe(
      "rejected",
    );
    const { stepResults } = (await engine.read(taskId))!;
    expect(stepResults[0]).toMatchObject({
      error: { code: "rejected", message: "Rejected: too dear" },
      output: {
        decision: "reject",
        decidedBy: "bob",
        decisions: [
          { by: { id: "cid" }, decision: "approve" },
          { by: { id: "bob" }, decision: "reject", comment: "too dear" },
        ],
      },
    });
  });

  test.each([
    [{ approvers: "{{input.manager}}" }, "approvers is empty"],
    [{ approvers: ["{{input.manager}}"] }, "approvers is empty"],
    [{ approvers: "{{workflow.name}}" }, "neither an email address nor a role"],
    [{ approvers: "dan@example.com" }, "dan@example.com is not a member"],
    [{ approvers: "eve@example.com" }, "eve@example.com is not a member of this workspace who may approve"],
    [
      { approvers: "role:admin", requiredApprovals: 2 },
      "2 approvals are required. Members who may approve: 1",
    ],
    [{ requiredApprovals: "{{workflow.name}}" }, "requiredApprovals must be a whole number"],
  ])("of %j fail the step instead of waiting forever", async (more, message) => {
    expect(await errorOf(await asked(more))).toMatchObject({
      code: "invalid_field",
      message: expect.stringContaining(message),
    });
  });

  test("are decided as before when the step names none: any caller, once, with the same output", async () => {
    const { bench, engine, taskId } = await asked({});
    await reaches(bench, taskId, "waiting_approval");
    await engine.decide(taskId, { decision: "approve", comment: null, data: null, decidedBy: "mcp: Desk" });
    await reaches(bench, taskId, "completed");
    expect((await engine.read(taskId))!.task.result?.output).toEqual({
      decision: "approve",
      comment: null,
      decidedBy: "mcp: Desk",
      data: null,
    });
    expect(await engine.decisions(taskId, 9)).toMatchObject([{ decidedBy: "mcp: Desk", person: null }]);
  });
});

describe("two processes", () => {
  test("count exactly the required approvals of all who decide at once", async () => {
    const { bench, engine, taskId } = await asked({ requiredApprovals: 2 });
    await reaches(bench, taskId, "waiting_approval");
    const other = await bench.engine({ listMembers });
    const results = await Promise.allSettled(
      ["ann", "bob", "cid", "ann", "bob", "cid"].map((id, i) =>
        (i % 2 === 0 ? engine : other).decide(taskId, answer(id)),
      ),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    await reaches(bench, taskId, "completed");
    expect(await engine.decisions(taskId, 9)).toHaveLength(2);
  });

  test.each([true, false])(
    "that crash at any write, stored %s, lose no decision and count none twice",
    async (stored) => {
      for (let write = 0; ; write += 1) {
        const bench = await openBench();
        const people = ["ann", "bob"];
        let crashed = false;
        const engine = await bench.engine({
          listMembers,
          store: crashingStore(bench.store, { write, stored }, () => (crashed = true)),
        });
        const idempotency = { scope: "w", key: "k", bodyHash: "" };
        const workflow = bench.workflow("w", {
          steps: [ask({ requiredApprovals: 2 }), value("end", "{{steps.ask.output}}")],
          edges: [],
        });
        const run = async (on: Engine): Promise<string> => {
          const { taskId } = await on.start({ workflow, trigger: "manual", input: {}, idempotency });
          for (const id of people) {
            await expect
              .poll(
                async () =>
                  (await bench.store.openApprovals(taskId)).length > 0 || (await isOver(bench, taskId)),
              )
              .toBe(true);
            // As a person does who got no answer: again, until the service says that it counts.
            await on.decide(taskId, answer(id)).catch((error: { code: string }) => {
              if (error.code !== "already_decided" && error.code !== "task_not_waiting") throw error;
            });
          }
          await reaches(bench, taskId, "completed");
          return taskId;
        };
        const first = run(engine);
        await Promise.race([first, until(() => crashed)]);
        if (!crashed) return expect(write).toBeGreaterThan(3);
        const next = await bench.engine({ listMembers });
        const taskId = await run(next);
        const { output } = (await next.read(taskId))!.task.result as unknown as {
          output: { decisions: { by: { id: string } }[] };
        };
        expect(output.decisions.map(({ by }) => by.id)).toEqual(people);
        expect(await next.decisions(taskId, 9)).toHaveLength(2);
      }
    },
  );
});

async function isOver(bench: Bench, taskId: string): Promise<boolean> {
  return (await bench.store.task(taskId))?.status === "completed";
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
