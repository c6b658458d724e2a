import type { Section } from "./section.ts";

export const connections: Section = {
  title: "Connections",
  promises: [
    {
      id: "41.1",
      text: "`POST /api/connections`, `GET /api/connections`, `GET /api/connections/{id}`, `PATCH /api/connections/{id}` and `DELETE /api/connections/{id}` never return a secret (`connection_not_found`, `app_not_found`).",
      proofs: [
        "test/connections.test.ts › a connection of the kind %s is sent by an http step, and its secret is never shown",
        "test/connections.test.ts › an API key in the query is sent, and is in no result, also when the URL has a query of its own",
        "test/connections.test.ts › a new destination needs the secret again; a new name does not",
        "test/connections.test.ts › the invalid connection %j is refused at %s",
        "test/connections.test.ts › an unknown app is refused, and what is shown of a database is not its password",
        "test/connections.test.ts › a deleted connection is gone",
      ],
    },
    {
      id: "41.2",
      text: "A credential is sent only to the hosts of its connection, also after redirects (`connection_host_not_allowed`).",
      proofs: [
        "server/connections/host-binding.test.ts › the hosts %j and %s: %s",
        "server/connections/host-binding.test.ts › a field of an app fills in part of a host, and can never name another one",
        "test/connections.test.ts › a step cannot send a connection to another host, another port or another user's connection",
        "test/connections.test.ts › a vendor that redirects to another host does not get the credential there",
      ],
    },
    {
      id: "41.3",
      text: "A refused credential fails the step with `connection_authorization_required` and marks the connection.",
      proofs: [
        "test/connections.test.ts › a refused credential fails the step, marks the connection, and the next success repairs it",
      ],
    },
    {
      id: "41.4",
      text: "`POST /api/connections/test` and `POST /api/connections/{id}/test` call the service with the credential; the status and the last problem are shown.",
      proofs: [
        "test/connections.test.ts › a connection is tested before and after it is saved, and its problem is shown",
      ],
    },
    {
      id: "41.5",
      text: "`GET /api/connections/{id}` lists what uses a connection; `DELETE /api/connections/{id}` of one in use is 409 `connection_in_use` unless `force` is `true`.",
      proofs: [
        "test/connections.test.ts › what uses a connection is listed, drafts and loops included, and it is deleted only when that is meant",
      ],
    },
  ],
};
