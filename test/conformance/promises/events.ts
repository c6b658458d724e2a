import type { Section } from "./section.ts";

export const events: Section = {
  title: "Events",
  promises: [
    {
      id: "21.1",
      text: "`POST /api/event-subscriptions` → 201 with a signing secret that only this response and `POST /api/event-subscriptions/{id}/rotate` contain; after a rotation both secrets sign for a day. `POST /api/event-subscriptions/{id}/test` sends a test event.",
      proofs: [
        "test/events.test.ts › the secret is shown once, and after a rotation both secrets sign",
        "test/events.test.ts › invalid addresses, types and workflows are rejected, and so is the 21st subscription",
      ],
    },
    {
      id: "21.2",
      text: "`GET /api/event-subscriptions`, `GET /api/event-subscriptions/{id}`, `PATCH /api/event-subscriptions/{id}`, `DELETE /api/event-subscriptions/{id}`; an unknown one is 404 `event_subscription_not_found`.",
      proofs: [
        "test/events.test.ts › a subscription is changed in part and deleted with its deliveries",
        "test/events.test.ts › a subscription that is switched off gets nothing",
      ],
    },
    {
      id: "21.3",
      text: "Runs and approvals are reported as CloudEvents 1.0 in structured mode, signed by Standard Webhooks, without secrets, to the subscriptions that match.",
      proofs: [
        "test/events.test.ts › a completed run sends its start and its result as signed CloudEvents",
        "test/events.test.ts › a failed run sends its error, without secrets",
        "test/events.test.ts › a cancelled run sends its cancellation",
        "test/events.test.ts › an approval sends its question and its decision",
        "test/events.test.ts › only subscribed types, the chosen workflow and the owner's runs are sent",
        "server/security/standard-webhooks.test.ts › a message is signed as the Standard Webhooks libraries sign it",
      ],
    },
    {
      id: "21.4",
      text: "An event is stored in the write that it reports, and survives a crash; a successful call of an account without subscriptions writes and reads nothing more.",
      proofs: [
        "server/storage/engine/run-events.test.ts › the end of a run and its event are one write",
        "server/storage/engine/run-events.test.ts › without a subscription a call writes and reads nothing for events",
        "server/storage/engine/run-events.test.ts › a run that has lost its task, and a task that was not inserted, report nothing",
        "test/events.test.ts › events stored before a crash are sent by the next process, once",
      ],
    },
    {
      id: "21.5",
      text: "Messages are retried for days with growing delays, never to an address that the egress guard refuses; 410 switches the subscription off. `GET /api/event-subscriptions/{id}/deliveries` lists them, `POST /api/event-subscriptions/{id}/deliveries/{deliveryId}/resend` sends one again.",
      proofs: [
        "server/outbox/outbox.test.ts › a message is tried again with the same id until the attempts are used up",
        "server/outbox/outbox.test.ts › a receiver that cannot be reached is tried again; an address that the guard refuses is not",
        "server/outbox/outbox.test.ts › a claimed message is claimed by no other process until the claim expires",
        "server/outbox/outbox.test.ts › an owner whose receivers hang does not delay the messages of others",
        "test/events.test.ts › a receiver that responds 410 is switched off, and a delivery can be sent again",
      ],
    },
    {
      id: "21.6",
      text: "`POST /webhook/{source}` accepts CloudEvents in structured and binary mode: the data is the input, `trigger.event` has the attributes, and one `id` and `source` starts one task.",
      proofs: [
        "test/webhook-cloud-events.test.ts › the data of a structured event is the input, and its attributes are trigger data, also when redelivered",
        "test/webhook-cloud-events.test.ts › the body of a binary event is the input, and its ce- headers are trigger data",
        "test/webhook-cloud-events.test.ts › events with the same id and source start one task, whatever else they contain",
        "test/webhook-cloud-events.test.ts › an event with %s is 400",
      ],
    },
  ],
};
