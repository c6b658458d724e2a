import type { Section } from "./section.ts";

export const endpoints: Section = {
  title: "Public endpoints",
  promises: [
    {
      id: "11.1",
      text: "`POST /api/workflows/public/{idOrSlug}` finds a workflow by id, then by slug.",
      proofs: [
        "test/public-calls.test.ts › an endpoint is found by its slug, regardless of case, and by its id",
        "test/public-calls.test.ts › a slug equal to the id of a disabled workflow does not take over its calls",
      ],
    },
    {
      id: "11.2",
      text: "An unknown or disabled endpoint is 404 `workflow_not_found`.",
      proofs: [
        "test/public-calls.test.ts › an unknown, disabled or deleted endpoint is 404 before the key is checked",
      ],
    },
    {
      id: "11.3",
      text: "With authentication, a missing key is 401 `missing_api_key` and a wrong one 401 `invalid_api_key`; without it no key is needed.",
      proofs: [
        "test/public-calls.test.ts › authentication requires a key, and without authentication no key is needed",
        "test/keys.test.ts › [S16] a key of another owner, a login token and a key that differs in its last character fail with the same error",
      ],
    },
    {
      id: "11.4",
      text: "The key is compared with all active keys of the owner.",
      proofs: [
        "test/keys.test.ts › [S16] a revoked key fails from the next request on",
        "test/keys.test.ts › [S16] an expired key fails",
      ],
    },
    {
      id: "11.5",
      text: "`input` is an object or absent, else 400; steps or settings in the body are ignored.",
      proofs: [
        "test/public-calls.test.ts › the input must be an object or absent",
        "test/public-calls.test.ts › [S9] a graph or settings in the body are not run",
      ],
    },
    {
      id: "11.6",
      text: "A synchronous call returns 200 with the result and step results.",
      proofs: ["test/public-calls.test.ts › a synchronous call returns the result and the steps"],
    },
    {
      id: "11.7",
      text: "A failed run returns 500 `execution_failed` with the task, the failed step and step results.",
      proofs: ["test/public-calls.test.ts › a failed run is 500 with the failed step and the step results"],
    },
    {
      id: "11.8",
      text: "A run that waits for approval returns 200 with that status.",
      proofs: ["test/public-calls.test.ts › a run that waits for an approval returns that status"],
    },
    {
      id: "11.9",
      text: "A run that takes too long returns 504 `execution_timeout` with the task, which continues.",
      proofs: [
        "test/public-calls.test.ts › [R11] a run that exceeds the time limit is 504 with its task id and continues",
      ],
    },
    {
      id: "11.10",
      text: "An asynchronous call returns 200 `{ok, taskId, workflowId}`.",
      proofs: ["test/public-calls.test.ts › an asynchronous call returns the task at once"],
    },
    {
      id: "11.11",
      text: "`GET /api/workflows/public/tasks/{taskId}` returns a task to its caller with the key, or by its id alone when authentication is off.",
      proofs: [
        "test/public-calls.test.ts › a caller reads its task with a key of the owner",
        "test/public-calls.test.ts › without authentication the task id is sufficient until the endpoint is disabled",
      ],
    },
    {
      id: "11.12",
      text: "With `Idempotency-Key`, the same key and body return the same task and response, however many arrive at once; another body is 409. A key is scoped to endpoint and owner, and works on runs and webhooks, too.",
      proofs: [
        "test/public-calls.test.ts › [R3] fifty concurrent calls with one idempotency key create one task and get the same response",
        "test/public-calls.test.ts › [R3] the same key with a different body is a conflict; at another endpoint it is a different key",
        "server/engine/tests/calls.test.ts › is one task for fifty concurrent calls, and refuses another body",
        "test/webhook-calls.test.ts › [R3] fifty concurrent equal deliveries start one task, by header and by the vendor's delivery id",
        "server/engine/tests/calls.test.ts › without waiting (%s) gets the same response after its task has ended",
      ],
    },
    {
      id: "11.13",
      text: "With `metadata.inputSchema`, input that does not match is 400 `invalid_request` with a sentence per field in `details`, and defaults fill what is missing.",
      proofs: [
        "test/input-schema.test.ts › a public call with invalid input is 400 with a sentence per field and starts no task",
        "test/input-schema.test.ts › a run is checked and gets the defaults; a partial run is checked only when it has input",
        "test/input-schema.test.ts › a webhook delivery with invalid input is 400, listed as rejected, and can be redelivered after a fix",
      ],
    },
    {
      id: "11.14",
      text: "A form is public at `/f/{slug}` (`GET /api/forms/{idOrSlug}`, `POST /api/forms/{idOrSlug}`) with the endpoint's authentication and limits, and tells nothing but its texts and fields.",
      proofs: [
        "test/forms.test.ts › a form tells its texts, its fields and whether it needs a key, and nothing else",
        "test/forms.test.ts › with authentication a form is readable, and sending it needs a key of the owner",
        "test/forms.test.ts › the calls of a form count against the limit of the endpoint",
        "test/forms.test.ts › a double click with the key of the page starts one task",
        "test/browser/forms.test.ts › two quick clicks start one run, and so does a send after a lost answer",
      ],
    },
  ],
};
