import type { Section } from "../register.ts";

export const endpoints: Section = {
  title: "Public endpoints",
  promises: [
    {
      id: "11.1",
      text: "`POST /api/workflows/public/{idOrSlug}` finds a workflow by id, then by slug.",
      proofs: [
        "test/public-calls.test.ts › an endpoint is found by its slug in any case, and by its id",
        "test/public-calls.test.ts › a slug that looks like the id of a switched-off workflow does not take over its calls",
      ],
    },
    {
      id: "11.2",
      text: "An unknown or disabled endpoint is 404 `workflow_not_found`.",
      proofs: [
        "test/public-calls.test.ts › what is unknown, switched off or deleted is not found, before any key is looked at",
      ],
    },
    {
      id: "11.3",
      text: "With authentication, a missing key is 401 `missing_api_key` and a wrong one 401 `invalid_api_key`; without it no key is needed.",
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
      text: "A synchronous call returns 200 with the result and step results.",
      proofs: ["test/public-calls.test.ts › a synchronous call answers with the result and the steps"],
    },
    {
      id: "11.7",
      text: "A failed run returns 500 `execution_failed` with the task, the failed step and step results.",
      proofs: [
        "test/public-calls.test.ts › a failed run is a 500 that names the step and shows what was done",
      ],
    },
    {
      id: "11.8",
      text: "A run that waits for approval returns 200 with that status.",
      proofs: ["test/public-calls.test.ts › a run that waits for an approval answers so"],
    },
    {
      id: "11.9",
      text: "A run that takes too long returns 504 `execution_timeout` with the task, which continues.",
      proofs: [
        "test/public-calls.test.ts › [R11] a run that takes too long is a 504 with the task, which goes on",
      ],
    },
    {
      id: "11.10",
      text: "An asynchronous call returns 200 `{ok, taskId, workflowId}`.",
      proofs: ["test/public-calls.test.ts › an asynchronous call answers with the task at once"],
    },
    {
      id: "11.11",
      text: "`GET /api/workflows/public/tasks/{taskId}` returns a task to its caller with the key, or by its id alone when authentication is off.",
      proofs: [
        "test/public-calls.test.ts › a caller follows its own task with a key of the owner",
        "test/public-calls.test.ts › the task's id alone is enough while authentication is off, and not after the endpoint was switched off",
      ],
    },
    {
      id: "11.12",
      text: "With `Idempotency-Key`, the same key and body return the same task and response, however many arrive at once; another body is 409. A key is scoped to endpoint and owner, and works on runs and webhooks, too.",
      proofs: [
        "test/public-calls.test.ts › [R3] fifty equal calls with one idempotency key at once make one task and get one answer",
        "test/public-calls.test.ts › [R3] the same key with another body is a conflict; at another endpoint it is another key",
        "server/engine/tests/calls.test.ts › is one task for fifty concurrent calls, and refuses another body",
        "test/webhook-calls.test.ts › [R3] fifty equal deliveries at once make one task, by header and by the vendor's delivery id",
        "server/engine/tests/calls.test.ts › that nobody waits for (%s) has the same answer after its task has ended",
      ],
    },
  ],
};
