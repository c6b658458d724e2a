import type { Section } from "../register.ts";

export const webhooks: Section = {
  title: "Webhooks",
  promises: [
    {
      id: "13.1",
      text: "`POST /api/webhooks` → 201 with the secret, which only this response and `POST /api/webhooks/{id}/rotate` contain.",
      proofs: [
        "test/webhooks.test.ts › a webhook is made with its secret and its address, and the secret is never shown again",
        "test/webhooks.test.ts › a rotated secret fails at once and the new one works",
      ],
    },
    {
      id: "13.2",
      text: "`source` has a pattern and is not `a2a`; an unknown workflow is 404, one of another user 403; a second webhook with the same source is 409 `source_taken`, but other owners may use it.",
      proofs: [
        "test/webhooks.test.ts › sources, workflows and fields that cannot be are refused",
        "test/webhooks.test.ts › one owner has a source once; another owner may use the same word, and the secret tells them apart",
      ],
    },
    {
      id: "13.3",
      text: "`GET /api/webhooks`, `GET /api/webhooks/{id}`, `PATCH /api/webhooks/{id}`, `DELETE /api/webhooks/{id}`.",
      proofs: [
        "test/webhooks.test.ts › a webhook is changed in part, switched off and on, and deleted",
        "test/paging.test.ts › the pages of a list hold every own record once, newest first, and none of anybody else's",
      ],
    },
    {
      id: "13.4",
      text: "`GET /api/webhooks/{id}/deliveries` and `POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver`; a delivery without its body is 409 `delivery_not_kept`.",
      proofs: [
        "test/webhook-calls.test.ts › a delivery is kept and makes a new task with the same input when it is sent again",
        "test/webhook-signatures.test.ts › [S19] $signature.scheme: a changed or re-serialised body, a wrong and a missing signature fail",
      ],
    },
    {
      id: "13.5",
      text: "`POST /webhook/{source}` → 200 `{ok, taskId}`; the body is the input, unchanged.",
      proofs: ["test/webhook-calls.test.ts › a call makes a task whose input is the body exactly as it came"],
    },
    {
      id: "13.6",
      text: "The secret is sent as a query parameter or a header and is never stored or logged.",
      proofs: [
        "test/webhook-calls.test.ts › [S17] the secret is in no answer, task, delivery or file, in whichever form it came",
        "test/accepted-calls.test.ts › [S17] the log knows neither keys nor secrets, whichever way they came",
      ],
    },
    {
      id: "13.7",
      text: "A missing secret is 401 `missing_secret`; a wrong source and a wrong secret are both 403 `invalid_secret`; an inactive webhook responds like an unknown one.",
      proofs: [
        "test/webhook-calls.test.ts › no secret is 401; a wrong source, a wrong secret and an inactive webhook answer alike",
      ],
    },
    {
      id: "13.8",
      text: "Signatures of github, stripe, slack, standard and hmac replace the secret, over raw bytes, within a time window; a wrong one is 403 `invalid_signature`.",
      proofs: [
        "test/webhook-signatures.test.ts › [S19] a signature of $signature.scheme stands in for the secret",
        "test/webhook-signatures.test.ts › [S19] $signature.scheme: a changed or re-serialised body, a wrong and a missing signature fail",
        "test/webhook-signatures.test.ts › [S19] $signature.scheme: a signature that is too old or from the future fails",
      ],
    },
    {
      id: "13.9",
      text: "Known delivery ids count as idempotency keys.",
      proofs: [
        "test/webhook-signatures.test.ts › [S19] a delivery that is replayed with its id makes no second task",
        "test/webhook-calls.test.ts › [R3] fifty equal deliveries at once make one task, by header and by the vendor's delivery id",
      ],
    },
    {
      id: "13.10",
      text: "Webhooks accept 20 requests per minute and caller address, counted before the secret is checked.",
      proofs: [
        "test/webhook-calls.test.ts › [S23] twenty a minute for each address and webhook, counted before the secret, whatever X-Forwarded-For says",
      ],
    },
  ],
};
