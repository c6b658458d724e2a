import { type Attack, endOf, saveWorkflow, startRun } from "./attack.ts";

const value = (stepId: string, template: unknown) => ({ stepId, type: "transform", template });
const edge = (source: string, target: string) => ({ id: `${source}-${target}`, source, target });
const tenTimes = (template: string): string[] => Array.from({ length: 10 }, () => template);

const KILOBYTE = "x".repeat(1000);
const COPIES = 120;
const VERSIONS = 24;

/** Text that doubles from a kilobyte to eight megabytes, in the step `t13`. */
function growingText() {
  const steps = Array.from({ length: 14 }, (_, index) => {
    const previous = `{{steps.t${index - 1}.output}}`;
    return value(`t${index}`, index === 0 ? "{{input}}" : previous + previous);
  });
  return { steps, edges: steps.slice(1).map(({ stepId }, index) => edge(`t${index}`, stepId)), last: "t13" };
}

let largeTaskId = "";

/** Attacks on the memory of the process, and on its event loop by work on large values. */
export const sizeAttacks: Attack[] = [
  {
    name: "20 runs of 40 steps that list the previous output ten times",
    async begin({ attacker }) {
      const steps = Array.from({ length: 40 }, (_, index) =>
        value(`s${index}`, index === 0 ? "leaf" : tenTimes(`{{steps.s${index - 1}.output}}`)),
      );
      const id = await saveWorkflow(attacker, steps);
      const tasks = await Promise.all(Array.from({ length: 20 }, () => startRun(attacker, id)));
      return { ended: endOf(attacker, tasks.at(-1)!) };
    },
  },
  {
    name: "5 runs with text that grows to 8 MB, then 12 parallel arrays of it",
    async begin({ attacker }) {
      const { steps, edges, last } = growingText();
      const arrays = Array.from({ length: 12 }, (_, index) =>
        value(`a${index}`, [`{{steps.${last}.output}}`]),
      );
      const lists = arrays.map(({ stepId }) =>
        value(`${stepId}-list`, tenTimes(`{{steps.${stepId}.output}}`)),
      );
      const links = arrays.flatMap(({ stepId }) => [edge(last, stepId), edge(stepId, `${stepId}-list`)]);
      const id = await saveWorkflow(attacker, [...steps, ...arrays, ...lists], [...edges, ...links]);
      const tasks = await Promise.all(Array.from({ length: 5 }, () => startRun(attacker, id, KILOBYTE)));
      return { ended: endOf(attacker, tasks.at(-1)!) };
    },
  },
  {
    name: "a loop over 150 gzip answers of 9.9 MB, 100 at once",
    async begin({ attacker, serverUrl }) {
      const fetch = { stepId: "fetch", type: "http", method: "GET", url: `${serverUrl}/large` };
      const items = Array.from({ length: 150 }, (_, index) => index);
      const id = await saveWorkflow(attacker, [
        { stepId: "each", type: "foreach", items, concurrency: 100, steps: [fetch] },
      ]);
      return { ended: endOf(attacker, await startRun(attacker, id)) };
    },
  },
  {
    name: "10 reads at once of a task with 1 GB of outputs",
    // A task of an instance that does not limit them.
    settings: { MAX_TASK_OUTPUT_BYTES: "0" },
    async prepare({ attacker }) {
      const { steps, edges, last } = growingText();
      const copies = Array.from({ length: COPIES }, (_, index) =>
        value(`c${index}`, `{{steps.${last}.output}}`),
      );
      const links = copies.flatMap(({ stepId }) => [edge(last, stepId), edge(stepId, "end")]);
      const id = await saveWorkflow(
        attacker,
        [...steps, ...copies, value("end", "done")],
        [...edges, ...links],
      );
      largeTaskId = await startRun(attacker, id, KILOBYTE);
      await endOf(attacker, largeTaskId, 120_000);
    },
    begin({ attacker }) {
      const reads = Array.from({ length: 10 }, () => attacker.get(`/api/tasks/${largeTaskId}`));
      const ended = Promise.all(reads).then(([answer]) => {
        const results = (answer?.["task"]?.stepResults ?? []) as { output?: { truncated?: boolean } }[];
        const links = results.filter(({ output }) => output?.truncated === true).length;
        return `${links} of ${results.length} outputs as links`;
      });
      return Promise.resolve({ ended });
    },
  },
  {
    name: "24 versions of a 1 MB graph, each of them run",
    async begin({ attacker }) {
      const graphOf = (version: number) => [
        value(
          "a",
          Array.from({ length: 70_000 }, () => "{{input.a}}"),
        ),
        value("b", `version ${version}`),
      ];
      const id = await saveWorkflow(attacker, graphOf(0));
      const saveAndRun = async (): Promise<string> => {
        for (let version = 1; version < VERSIONS; version += 1) {
          await attacker.patch(`/api/workflows/${id}`, {
            metadata: { steps: graphOf(version), edges: [] },
          });
          await startRun(attacker, id);
        }
        return "saved and run";
      };
      return { ended: saveAndRun() };
    },
  },
];
