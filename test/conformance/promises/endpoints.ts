import type { Section } from "../register.ts";

export const endpoints: Section = {
  title: "Public endpoints",
  promises: [
    {
      id: "11.1",
      text: "`POST /api/workflows/public/{idOrSlug}`: by id, then by slug.",
      proofs: [
        "test/public-calls.test.ts › an endpoint is found by its slug in any case, and by its id",
        "test/public-calls.test.ts › a slug that looks like the id of a switched-off workflow does not take over its calls",
      ],
    },
    {
      id: "11.2",
      text: "Unknown or disabled is 404 `workflow_not_found`.",
      proofs: [
        "test/public-calls.test.ts › what is unknown, switched off or deleted is not found, before any key is looked at",
      ],
    },
    {
      id: "11.3",
      text: "With authentication no key is 401 `missing_api_key`, none that matches 401 `invalid_api_key`; without it nothing is needed.",
      proofs: [
        "test/public-calls.test.ts › authentication needs a key, and nothing at all is needed when it is off",
        "test/keys.test.ts › [S16] a key of another owner, a login token and a key that differs in its last character fail alike",
      ],
    },
    {
      id: "11.4",
      text: "The key is compared with all active keys of the owner.",
      proofs: [
        "test/keys.test.ts › [S16] a revoked key fails from the next request on",
        "test/keys.test.ts › [S16] a key fails once its time has come",
      ],
    },
    {
      id: "11.5",
      text: "`input` is an object or absent, else 400; steps or settings in the body are ignored.",
      proofs: [
        "test/public-calls.test.ts › the input is an object or absent; anything else is refused",
        "test/public-calls.test.ts › [S9] a graph or settings in the body are not run",
      ],
    },
    {
      id: "11.6",
      text: "Synchronous: 200 with result and step results.",
      proofs: ["test/public-calls.test.ts › a synchronous call answers with the result and the steps"],
    },
    {
      id: "11.7",
      text: "A failed run is 500 `execution_failed` with task, failed step and step results.",
      proofs: [
        "test/public-calls.test.ts › a failed run is a 500 that names the step and shows what was done",
      ],
    },
    {
      id: "11.8",
      text: "One that waits for approval is 200 with that status.",
      proofs: ["test/public-calls.test.ts › a run that waits for an approval answers so"],
    },
    {
      id: "11.9",
      text: "Not done in time is 504 `execution_timeout` with the task, which goes on.",
      proofs: [
        "test/public-calls.test.ts › [R11] a run that takes too long is a 504 with the task, which goes on",
      ],
    },
    {
      id: "11.10",
      text: "Asynchronous: 200 `{ok, taskId, workflowId}`.",
      proofs: ["test/public-calls.test.ts › an asynchronous call answers with the task at once"],
    },
    {
      id: "11.11",
      text: "`GET /api/workflows/public/tasks/{taskId}` follows an own task with the key, or by its id alone when authentication is off.",
      proofs: [
        "test/public-calls.test.ts › a caller follows its own task with a key of the owner",
        "test/public-calls.test.ts › the task's id alone is enough while authentication is off, and not after the endpoint was switched off",
      ],
    },
    {
      id: "11.12",
      text: "`Idempotency-Key`: same key and body is the same task and answer, however many at once; another body is 409; it counts per endpoint and owner, on runs and webhooks too.",
      proofs: [
        "test/public-calls.test.ts › [R3] fifty equal calls with one idempotency key at once make one task and get one answer",
        "test/public-calls.test.ts › [R3] the same key with another body is a conflict; at another endpoint it is another key",
        "server/engine/tests/calls.test.ts › is one task for fifty calls at once, and refuses another body",
        "test/webhook-calls.test.ts › [R3] fifty equal deliveries at once make one task, by header and by the vendor's delivery id",
        "server/engine/tests/calls.test.ts › that nobody waits for (%s) has the same answer after its task has ended",
      ],
    },
  ],
};
