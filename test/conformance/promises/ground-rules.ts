import type { Section } from "./section.ts";

export const groundRules: Section = {
  title: "Ground rules",
  promises: [
    {
      id: "2.1",
      text: "Bodies are JSON in camelCase; document routes are snake_case.",
      proofs: [
        "test/conformance/api-rules.test.ts › responses are camelCase, those of documents and of OpenAI's routes snake_case",
      ],
    },
    {
      id: "2.2",
      text: "Every success body contains `ok: true`, including document routes.",
      proofs: [
        "test/conformance/api-rules.test.ts › every successful JSON response of a read contains ok: true",
      ],
    },
    {
      id: "2.3",
      text: "Every failure is `{ok: false, error, message}` with a snake_case code, never HTML, never empty.",
      proofs: [
        "test/fuzz/requests.test.ts › [S13] [S28] generated requests of both users and of anonymous callers get no 5xx, only the error shape, and no data of the other user",
        "test/errors.test.ts › %s %s is 404 not_found",
      ],
    },
    {
      id: "2.4",
      text: "Malformed JSON is 400 `invalid_json`.",
      proofs: ["test/errors.test.ts › [S28] a body %s is 400 invalid_json"],
    },
    {
      id: "2.5",
      text: "An unknown route is 404 `not_found`.",
      proofs: ["test/errors.test.ts › %s %s is 404 not_found"],
    },
    {
      id: "2.6",
      text: "An unexpected fault is 500 `internal_error` without its cause.",
      proofs: ["test/errors.test.ts › an unexpected error is 500 without its cause in the body"],
    },
    {
      id: "2.7",
      text: "Every response carries `x-request-id`, which is also in the log line.",
      proofs: [
        "test/system.test.ts › every response has a generated x-request-id, or the caller's if it is safe",
        "test/process.test.ts › the log has one line per request with its x-request-id and without secrets",
      ],
    },
    {
      id: "2.8",
      text: "Creating a record returns 201 with the record under its noun; other successes return 200.",
      proofs: [
        "test/conformance/api-rules.test.ts › creating a record returns 201 under its noun, with a prefixed id and times in UTC",
      ],
    },
    {
      id: "2.9",
      text: "Bad input is 400 `invalid_request` with `details: [{path, message}]`.",
      proofs: [
        "test/errors.test.ts › %s instead of a workflow is 400 with the path of the field",
        "test/accounts.test.ts › registration rejects %s and names the field",
      ],
    },
    {
      id: "2.10",
      text: "Missing or wrong credentials are 401.",
      proofs: [
        "test/accounts.test.ts › without a token the response is 401 missing_token, and the body is not read",
        "server/security/tokens.test.ts › [S22] rejected: %s",
      ],
    },
    {
      id: "2.11",
      text: "A record of another user is 403 `forbidden`.",
      proofs: [
        "test/ownership.test.ts › [S13] [S15] another user's record is 403 for every verb of every route, an unknown one 404, and nothing changes",
      ],
    },
    {
      id: "2.12",
      text: "A missing record is 404; a malformed id is 404, never 500.",
      proofs: [
        "test/ownership.test.ts › [S13] [S15] another user's record is 403 for every verb of every route, an unknown one 404, and nothing changes",
        "test/errors.test.ts › %s as an id is 404 for every method",
      ],
    },
    {
      id: "2.13",
      text: "A conflict with the current state is 409 (`slug_taken`, `email_taken`, `version_conflict`, `source_taken`, `task_not_failed`, `task_not_waiting`, `task_finished`, `idempotency_conflict`).",
      proofs: [
        "test/endpoint-settings.test.ts › an enabled slug is unique across users, regardless of case, and only its owner may use it again",
        "test/accounts.test.ts › an email address can be registered once, regardless of case",
        "test/workflow-versions.test.ts › a save based on an older version is 409 and changes nothing",
        "test/webhooks.test.ts › a source is unique per owner; owners with the same source are distinguished by the secret",
        "server/engine/tests/rerun.test.ts › is refused for a task that has not failed, and happens once",
        "server/engine/tests/approvals.test.ts › [S32] accepts an empty body, and refuses a second decision",
        "test/conformance/run-rules.test.ts › cancelling an ended task is 409 task_finished",
        "test/public-calls.test.ts › [R3] the same key with a different body is a conflict; at another endpoint it is a different key",
      ],
    },
    {
      id: "2.14",
      text: "A body over the limit is 413: 2 MiB of JSON, 1 MiB for webhooks, 50 MiB for uploads, configurable.",
      proofs: [
        "test/errors.test.ts › [S28] more than 2 MiB is 413, also without a content-length",
        "test/conformance/api-rules.test.ts › the settings limit the size of bodies",
        "test/documents/bad-uploads.test.ts › a file over the limit is 413, by its content-length or while it is read",
      ],
    },
    {
      id: "2.15",
      text: "A wrong media type is 415.",
      proofs: [
        "test/errors.test.ts › %s is 415",
        "test/webhook-calls.test.ts › [S8] only JSON, forms and binary files are accepted, and a body that names a file stays data",
        "test/documents/bad-uploads.test.ts › bytes of no supported format are 415 and the formats are named, whatever the file is called",
      ],
    },
    {
      id: "2.16",
      text: "An invalid graph is 422 `invalid_workflow` with `errors` and `warnings` in addition to the message.",
      proofs: ["test/workflows.test.ts › an invalid graph is 422 with all errors, and nothing is saved"],
    },
    {
      id: "2.17",
      text: "A caller over the rate limit gets 429 `rate_limited` with `Retry-After` and `RateLimit-*` headers.",
      proofs: [
        "test/webhook-calls.test.ts › [S23] twenty calls per minute for each address and webhook, counted before the secret and regardless of X-Forwarded-For",
        "test/endpoint-rate.test.ts › calls of one endpoint with one key are limited; another key and another endpoint are not affected",
        "test/conformance/api-rules.test.ts › a rate-limited response has Retry-After and RateLimit headers",
      ],
    },
    {
      id: "2.18",
      text: "The service returns 503 when it cannot respond right now.",
      proofs: [
        "server/http/system.routes.test.ts › while a store is unavailable the service is healthy but not ready, and the response hides the cause",
        "test/models/generation.test.ts › a provider without its key is 503 llm_not_configured and names the setting",
      ],
    },
    {
      id: "2.19",
      text: "Ids are opaque, sortable, with a readable prefix for each noun.",
      proofs: [
        "server/lib/ids.test.ts › ids sort in the order of their creation, even when the clock steps back",
        "test/conformance/api-rules.test.ts › creating a record returns 201 under its noun, with a prefixed id and times in UTC",
      ],
    },
    {
      id: "2.20",
      text: "A record is returned under its noun, a list under the plural with `nextCursor`.",
      proofs: [
        "test/conformance/api-rules.test.ts › creating a record returns 201 under its noun, with a prefixed id and times in UTC",
        "test/paging.test.ts › the pages of a list contain every own record once, newest first, and no record of another user",
      ],
    },
    {
      id: "2.21",
      text: "Lists are paged by `limit` (default 50, 1–200, else 400) and `cursor`, newest first, `nextCursor` null at the end.",
      proofs: [
        "test/paging.test.ts › the pages of a list contain every own record once, newest first, and no record of another user",
        "test/paging.test.ts › limit=%s is 400",
        "test/paging.test.ts › a list that ends with a full page has no next cursor",
        "test/paging.test.ts › an empty cursor returns the first page of %s",
      ],
    },
    {
      id: "2.22",
      text: "Times are ISO 8601 in UTC.",
      proofs: [
        "test/conformance/api-rules.test.ts › creating a record returns 201 under its noun, with a prefixed id and times in UTC",
        "test/conformance/run-rules.test.ts › a delay accepts a time, and an unreadable time fails the step",
      ],
    },
    {
      id: "2.23",
      text: "`GET /health` and `GET /ready` are public.",
      proofs: [
        "test/system.test.ts › /health and /ready need no login",
        "server/http/system.routes.test.ts › while a store is unavailable the service is healthy but not ready, and the response hides the cause",
      ],
    },
    {
      id: "2.24",
      text: "`GET /metrics` is Prometheus text.",
      proofs: ["test/system.test.ts › /metrics is Prometheus text that counts requests by route, not by URL"],
    },
    {
      id: "2.25",
      text: "`GET /api/openapi.json` is OpenAPI 3.1 of every route, browsable at `/api/docs`.",
      proofs: [
        "test/openapi.test.ts › the document is OpenAPI 3.1 and lists exactly the registered routes",
        "test/system.test.ts › the documentation page loads only from this server",
      ],
    },
    {
      id: "2.26",
      text: "`/` serves the page.",
      proofs: [
        "server/http/web.routes.test.ts › every URL of the page returns index.html without caching",
        "test/browser/first-visit.test.ts › a new user creates an account, runs a template with one click and approves its step",
      ],
    },
    {
      id: "2.27",
      text: "A request whose `Host` is not a loopback name, the host of `PUBLIC_URL`, `HOST` or in `ALLOWED_HOSTS` is 421 `host_not_allowed`; `/health` and `/ready` are served under every name.",
      proofs: [
        "test/host-names.test.ts › [S35] a page that points its own name at this service can neither register nor read",
        "test/host-names.test.ts › probes reach /health and /ready under any name",
        "server/http/allowed-hosts.test.ts › PUBLIC_URL, HOST and ALLOWED_HOSTS add names, without their ports and regardless of case",
      ],
    },
    {
      id: "2.28",
      text: "A refusal by a limit of the owner is 429 `limit_reached`, and a failed step with `limit_reached` or `output_too_large` in a run; `details.limit` names the setting. `GET /api/limits` shows the caller's use of every limit.",
      proofs: [
        "server/limits/limits.test.ts › a refusal names its setting and is counted",
        "server/limits/limits.test.ts › a value over its budget fails for good and names the setting, on a request and in a step",
        "test/limits.test.ts › GET /api/limits lists every limit with its setting and the use of the caller",
        "test/password-turns.test.ts › a flood of registrations holds one slot, and a login starts at once",
        "server/steps/transform.test.ts › slow expressions of one owner never delay those of another owner",
        "server/models/shared-models.test.ts › requests of one owner leave slots to another owner, and each starts in its turn",
        "test/open-streams.test.ts › streams and sockets of one user are limited together, and one that ends makes room",
        "test/documents/turns.test.ts › a document of another owner does not wait behind many documents of one owner",
        "test/documents/upload-budget.test.ts › an owner who has uploaded the bytes of an hour is refused before the body is read",
      ],
    },
    {
      id: "2.29",
      text: "Slots are shared by owners: one owner leaves slots for others, sub-workflows count against their owner, a task that waits for them holds no slot, and a run that calls itself ends at its limit.",
      proofs: [
        "server/engine/tests/fairness.test.ts › an owner with many slow tasks leaves slots for others",
        "server/engine/tests/fairness.test.ts › a slot that becomes free goes to the owner who holds none, not to the longest queue",
        "server/engine/tests/fairness.test.ts › a loop over sub-workflows uses the owner's share and no more",
        "server/engine/tests/fairness.test.ts › tasks that wait for their sub-workflows hold no slot, however deep they are",
        "server/engine/tests/fairness.test.ts › a workflow that calls itself ends at the limit of descendants",
        "server/engine/tests/fairness.test.ts › a full queue refuses further calls and names the setting",
      ],
    },
  ],
};
