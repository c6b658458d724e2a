import { expect, test } from "vitest";
import { createFairQueue } from "../../lib/fair-queue.ts";
import { shareEmbedding } from "./shared-embedding.ts";

/** A model whose calls end when the test says so. */
function useModel(slots: { slots: number; slotsPerKey: number; urgentSlots: number }) {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const queue = createFairQueue({ ...slots, refuse: () => new Error("full") });
  const shared = shareEmbedding(
    {
      id: "test",
      dimensions: 1,
      embed(texts) {
        started.push(...texts);
        return new Promise((resolve) => ends.push(() => resolve(texts.map(() => new Float32Array([1])))));
      },
      close: async () => undefined,
    },
    queue,
  );
  const endAll = async (): Promise<void> => {
    for (const end of ends.splice(0)) end();
    await new Promise(setImmediate);
  };
  return { shared, started, endAll };
}

test("the questions of one owner leave slots to another owner", async () => {
  const { shared, started } = useModel({ slots: 4, slotsPerKey: 2, urgentSlots: 1 });
  for (const question of ["a1", "a2", "a3"]) void shared.forQuestions("user_a").embed([question]);
  void shared.forQuestions("user_b").embed(["b1"]);
  expect(started).toEqual(["a1", "a2", "b1"]);
});

test("a question starts before documents that wait longer", async () => {
  const { shared, started, endAll } = useModel({ slots: 1, slotsPerKey: 1, urgentSlots: 0 });
  void shared.forDocuments("user_a").embed(["chunk 1"]);
  void shared.forDocuments("user_b").embed(["chunk 2"]);
  const question = shared.forQuestions("user_c").embed(["question"]);
  await endAll();
  expect(started).toEqual(["chunk 1", "question"]);
  await endAll();
  expect(await question).toEqual([new Float32Array([1])]);
});
