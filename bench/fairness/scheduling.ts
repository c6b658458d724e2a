import { type Attack, endOf, saveWorkflow, startRun } from "./attack.ts";

/** Attacks on the slots of the process. */
export const schedulingAttacks: Attack[] = [
  {
    name: "a loop over 2,000 sub-workflows, 100 at once, each with a call of 200 ms",
    async begin({ attacker, serverUrl }) {
      const inner = await saveWorkflow(attacker, [
        { stepId: "call", type: "http", method: "GET", url: `${serverUrl}/slow` },
      ]);
      const loop = await saveWorkflow(attacker, [
        { stepId: "each", type: "foreach", items: "{{input.items}}", concurrency: 100, workflowId: inner },
      ]);
      const items = Array.from({ length: 2000 }, (_, i) => i);
      const taskId = await startRun(attacker, loop, { items });
      return { ended: endOf(attacker, taskId, 5000) };
    },
  },
  {
    name: "a workflow that calls itself ten times in a loop",
    async begin({ attacker }) {
      const id = await saveWorkflow(attacker, [{ stepId: "first", type: "transform", template: 1 }]);
      const each = { stepId: "each", type: "foreach", items: "{{input.items}}", concurrency: 10 };
      const inner = { stepId: "call", type: "workflow", workflowId: id, input: { items: "{{input.items}}" } };
      await attacker.patch(`/api/workflows/${id}`, {
        metadata: { steps: [{ ...each, steps: [inner] }], edges: [] },
      });
      const taskId = await startRun(attacker, id, { items: Array.from({ length: 10 }, (_, i) => i) });
      return { ended: endOf(attacker, taskId) };
    },
  },
  {
    name: "300 http steps to a server that never responds",
    async begin({ attacker, serverUrl }) {
      const id = await saveWorkflow(attacker, [
        { stepId: "call", type: "http", method: "GET", url: `${serverUrl}/silent` },
      ]);
      for (let n = 0; n < 300; n += 1) await startRun(attacker, id);
      return { ended: Promise.resolve("running") };
    },
  },
  {
    name: "40 expressions that take as long as they may",
    victim: "expression",
    async begin({ attacker }) {
      const expression = "$reduce([1..3000000], function($a, $b) { $a + $b })";
      const id = await saveWorkflow(attacker, [{ stepId: "slow", type: "transform", expression }]);
      for (let n = 0; n < 40; n += 1) await startRun(attacker, id);
      return { ended: Promise.resolve("running") };
    },
  },
];

/** Attacks without an account. */
export const anonymousAttacks: Attack[] = [
  {
    name: "150 registrations at once",
    victim: "login",
    begin({ address }) {
      const register = (n: number) =>
        fetch(`${address}/api/auth/register`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({
            email: `anonymous-${n}@example.com`,
            password: "a long enough pass phrase",
          }),
        }).then(({ status }) => status);
      const ended = Promise.all(Array.from({ length: 150 }, (_, n) => register(n))).then((statuses) => {
        const created = statuses.filter((status) => status === 201).length;
        return `${created} created, ${statuses.length - created} refused`;
      });
      return Promise.resolve({ ended });
    },
  },
];
