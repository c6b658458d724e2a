import type { Section } from "./section.ts";

export const webhooks: Section = {
  title: "Webhooks",
  promises: [
    {
      id: "13.1",
      text: "`POST /api/webhooks` → 201 with the secret, which only this response and `POST /api/webhooks/{id}/rotate` contain.",
      proofs: [
        "test/webhooks.test.ts › creating a webhook returns its secret and URL, and the secret is never shown again",
        "test/webhooks.test.ts › a rotated secret fails at once and the new one works",
      ],
    },
    {
      id: "13.2",
      text: "`source` has a pattern and is not `a2a`; an unknown workflow is 404, one of another user 403; a second webhook with the same source is 409 `source_taken`, but other owners may use it.",
      proofs: [
        "test/webhooks.test.ts › invalid sources, workflows and fields are rejected",
        "test/webhooks.test.ts › a source is unique per owner; owners with the same source are distinguished by the secret",
      ],
    },
    {
      id: "13.3",
      text: "`GET /api/webhooks`, `GET /api/webhooks/{id}`, `PATCH /api/webhooks/{id}`, `DELETE /api/webhooks/{id}`.",
      proofs: [
        "test/webhooks.test.ts › a webhook can be updated in part, disabled, enabled and deleted",
        "test/paging.test.ts › the pages of a list contain every own record once, newest first, and no record of another user",
      ],
    },
    {
      id: "13.4",
      text: "`GET /api/webhooks/{id}/deliveries` and `POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver`; a delivery without its body is 409 `delivery_not_kept`.",
      proofs: [
        "test/webhook-calls.test.ts › a delivery is stored, and redelivering it starts a new task with the same input",
        "test/webhook-signatures.test.ts › [S19] $signature.scheme: a changed or re-serialised body, a wrong and a missing signature fail",
      ],
    },
    {
      id: "13.5",
      text: "`POST /webhook/{source}` → 200 `{ok, taskId}`; the body is the input, unchanged.",
      proofs: ["test/webhook-calls.test.ts › a call starts a task with the exact body as input"],
    },
    {
      id: "13.11",
      text: "`POST /webhook/{source}` takes forms without files as an object of fields; `GET /webhook/{source}` takes the query.",
      proofs: [
        "test/webhook-requests.test.ts › a form becomes an object of its fields",
        "test/webhook-requests.test.ts › GET starts a task with the query as input, HEAD starts none, and a signature cannot replace the secret",
      ],
    },
    {
      id: "13.13",
      text: "`POST /webhook/w/{webhookId}` and `GET /webhook/w/{webhookId}` call one webhook by its own id.",
      proofs: [
        "test/webhook-calls.test.ts › a webhook can be called by its own id, with the same checks as by its source",
      ],
    },
    {
      id: "13.14",
      text: "A source stays reserved for its owner for 30 days after the webhook is disabled, renamed or deleted: 409 `source_taken`.",
      proofs: [
        "test/name-reservations.test.ts › the source of a disabled, renamed or deleted webhook is reserved for its owner for 30 days",
      ],
    },
    {
      id: "13.12",
      text: "`{{trigger.kind}}`, `{{trigger.method}}`, `{{trigger.headers.<name>}}` and `{{trigger.query.<name>}}` read the request, with credentials redacted.",
      proofs: [
        "test/webhook-requests.test.ts › placeholders read the kind, method, headers and query of a call, also when it is redelivered and replayed",
        "test/public-calls.test.ts › placeholders read the request of a call without its key",
        "test/webhook-requests.test.ts › [S17] trigger data has no secret and no credential, as in the deliveries",
      ],
    },
    {
      id: "13.6",
      text: "The secret is sent as a query parameter or a header and is never stored or logged.",
      proofs: [
        "test/webhook-calls.test.ts › [S17] the secret is in no response, task, delivery or file, however it was sent",
        "test/accepted-calls.test.ts › [S17] the log contains neither keys nor secrets, however they were sent",
      ],
    },
    {
      id: "13.7",
      text: "A missing secret is 401 `missing_secret`; a wrong source and a wrong secret are both 403 `invalid_secret`; an inactive webhook responds like an unknown one.",
      proofs: [
        "test/webhook-calls.test.ts › a missing secret is 401; a wrong source, a wrong secret and an inactive webhook get the same response",
      ],
    },
    {
      id: "13.8",
      text: "Signatures of github, stripe, slack, standard, svix, shopify, woocommerce, typeform, twilio, hubspot, meta, zoom, x and hmac, Microsoft Graph's client state and a bearer token replace the secret, over raw bytes, within a time window; a wrong one is 403 `invalid_signature`.",
      proofs: [
        "test/webhook-signatures.test.ts › [S19] a signature of $signature.scheme replaces the secret",
        "test/webhook-signatures.test.ts › [S19] $signature.scheme: a changed or re-serialised body, a wrong and a missing signature fail",
        "test/webhook-signatures.test.ts › [S19] $signature.scheme: a signature that is too old or from the future fails",
        "test/webhook-signatures.test.ts › hmac: prefix, algorithm, encoding and time are stored, shown and applied",
        "server/webhooks/signatures.test.ts › %s: a valid signature is accepted and returns the delivery id",
        "server/webhooks/signatures.test.ts › svix: the published example is valid, by its own headers",
        "server/webhooks/signatures.test.ts › bearer: only the exact token is valid",
        "server/webhooks/signatures.test.ts › microsoft-graph: every notification needs the client state",
        "server/webhooks/url-signatures.test.ts › twilio: the published example of a form is valid; another field, URL or secret is not",
        "server/webhooks/url-signatures.test.ts › hubspot: method, decoded URL and body are covered",
        "test/webhook-challenges.test.ts › [S19] twilio and hubspot: the signature covers the public URL, also of a GET request",
      ],
    },
    {
      id: "13.9",
      text: "Known delivery ids count as idempotency keys; of a signed call they decide, whatever the body and the `Idempotency-Key`, else a signature with a time does.",
      proofs: [
        "test/webhook-signatures.test.ts › [S19] a signed delivery id that was seen returns the first task, whatever the body",
        "test/webhook-signatures.test.ts › [S19] an Idempotency-Key cannot make a replayed signature start a second task",
        "test/webhook-signatures.test.ts › [S19] a delivery replayed with its id starts no second task",
        "test/webhook-calls.test.ts › [R3] fifty concurrent equal deliveries start one task, by header and by the vendor's delivery id",
      ],
    },
    {
      id: "13.10",
      text: "Webhooks accept 20 requests per minute and caller address, counted before the secret is checked.",
      proofs: [
        "test/webhook-calls.test.ts › [S23] twenty calls per minute for each address and webhook, counted before the secret and regardless of X-Forwarded-For",
      ],
    },
    {
      id: "13.15",
      text: "Checks of the URL by Slack, Zoom, Meta, X and Microsoft Graph are answered as the vendor asks and start no task.",
      proofs: [
        "test/webhook-signatures.test.ts › Slack's check of the URL is answered with its challenge and starts no task",
        "test/webhook-challenges.test.ts › [S19] Zoom's check is answered after its signature, never without one",
        "test/webhook-challenges.test.ts › [S19] Meta's check is answered with its challenge as text, if it has the secret of a meta webhook",
        "test/webhook-challenges.test.ts › [S19] X's check is answered by the one x webhook of the address, and its answer signs no call",
        "test/webhook-challenges.test.ts › Microsoft Graph's check is answered with its token as text, without a secret, for a microsoft-graph webhook only",
      ],
    },
    {
      id: "13.16",
      text: "With `customResponse`, the call waits for the run, and the response step returns the status, headers and body.",
      proofs: [
        "test/custom-responses.test.ts › customResponse of a webhook: the call waits for the run and returns its response",
        "test/custom-responses.test.ts › customResponse of an endpoint: the output of the response step is the response",
        "test/custom-responses.test.ts › HTML of a custom response is sandboxed, whatever its headers",
        "server/endpoints/custom-response.test.ts › the header %j is not allowed",
      ],
    },
  ],
};
