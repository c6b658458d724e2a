import type { Section } from "./section.ts";

export const retries: Section = {
  title: "Retries and failures",
  promises: [
    {
      id: "9.1",
      text: "`maxRetries` is 0 by default and at most 100.",
      proofs: [
        "server/engine/run/retry.test.ts › are as many as maxRetries allows",
        "contract/graph/codes.test.ts › $code: $why",
      ],
    },
    {
      id: "9.2",
      text: "Waits are 1 s, then times `backoffMultiplier` (default 2, 1–10), at most an hour.",
      proofs: ["server/engine/run/retry.test.ts › wait 1 s, 2 s, 4 s … and never more than an hour"],
    },
    {
      id: "9.3",
      text: "A waiting retry survives a restart.",
      proofs: [
        "server/engine/tests/restarts.test.ts › a delay keeps its due time and a retry its count across a restart",
      ],
    },
    {
      id: "9.4",
      text: '`onError: "continue"` continues with a null output; an error edge is taken; a run whose failures were all handled is completed.',
      proofs: [
        "server/engine/graph/progress.test.ts › a failure takes error edges, and plain edges when the step continues on error",
        "server/engine/tests/runs.test.ts › fails at a step with its error, and handles a failure by an error edge",
      ],
    },
  ],
};
