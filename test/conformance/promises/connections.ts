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
        "test/connection-users.test.ts › an MCP server that returns the credential of its connection does not get it into a run",
        "test/teams/external-agents.test.ts › is renewed after a 401, and what it returns of the credential is redacted",
        "test/teams/external-agents.test.ts › whose card names another host gets no credential there",
        "test/teams/external-agents.test.ts › needs one of the owner, and no other credential",
        "test/connection-users.test.ts › a model takes a connection in an llm step and an agent: renewed, redacted, and no key of the instance",
        "test/connection-users.test.ts › a model with a connection goes to no other host, nor to a server of the instance that steps cannot reach",
        "test/connection-users.test.ts › an agent and an llm step with a connection need a provider, and an address needs a connection",
        "test/connection-users.test.ts › an MCP server cannot take a connection to another host, nor along a redirect",
        "test/connection-users.test.ts › an MCP server names only a connection of its owner that is sent by HTTP, and nothing beside it",
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
        "test/connection-mail.test.ts › an SMTP connection is tested by a login that sends nothing",
        "test/connection-mail.test.ts › mail servers of connections pass the egress guard",
        "server/triggers/email/email-source.test.ts › an IMAP connection is tested by a login that opens no mailbox",
        "test/databases.test.ts › connections of databases and storage are tested by reading one value",
        "test/connections.test.ts › a connection is tested before and after it is saved, and its problem is shown",
      ],
    },
    {
      id: "41.5",
      text: "`GET /api/connections/{id}` lists what uses a connection; `DELETE /api/connections/{id}` of one in use is 409 `connection_in_use` unless `force` is `true`.",
      proofs: [
        "test/connection-mail.test.ts › an email is sent through an SMTP connection, in its name, and a refused login marks it",
        "test/connection-mail.test.ts › an email trigger takes an IMAP connection of its owner in place of host and password",
        "server/triggers/email/email-source.test.ts › a mailbox is read with a connection in place of a password of its own",
        "test/connection-users.test.ts › an MCP server takes a connection: renewed after a 401, redacted, and refused for good",
        "test/connections.test.ts › what uses a connection is listed, drafts and loops included, and it is deleted only when that is meant",
      ],
    },
    {
      id: "41.6",
      text: "`POST /api/connections/{id}/authorize` and `POST /api/connections/finish` connect by OAuth 2.0 with PKCE; a forged, repeated or foreign answer is `connection_authorization_failed`.",
      proofs: [
        "test/connection-oauth.test.ts › a connection is authorized with PKCE against a real server, used, refreshed and refused",
        "test/connection-oauth.test.ts › a forged, repeated, foreign or mixed-up callback connects nothing",
        "test/connection-oauth.test.ts › a change of the token URL, the hosts or the client needs the secret again and drops the tokens",
        "server/connections/oauth-tokens.test.ts › an answer with %s is refused",
        "server/connections/oauth-tokens.test.ts › a token URL that redirects gets nothing sent elsewhere, and one without TLS is refused",
      ],
    },
    {
      id: "41.7",
      text: "Tokens are refreshed by one process at a time and stored before they are used.",
      proofs: [
        "server/connections/oauth-tokens.test.ts › two processes and many calls refresh a refused token once, and all get the new one",
        "server/connections/oauth-tokens.test.ts › a token is refreshed before it expires, and the new one is stored before it is used",
        "server/connections/oauth-tokens.test.ts › a process that died during a refresh blocks it only until its lease ends",
        "server/connections/oauth-tokens.test.ts › a crash after the answer and before the store: the next refresh uses the old refresh token, and a server that refuses it asks to connect again",
        "server/connections/oauth-tokens.test.ts › a server that fails with %i %j keeps the tokens, and the next call refreshes again",
        "server/connections/oauth-tokens.test.ts › a connection that is connected anew during a refresh keeps the newer tokens",
        "server/connections/oauth-tokens.test.ts › client credentials: a token is requested when it is needed, once, with scopes and audience",
      ],
    },
    {
      id: "41.8",
      text: "`GET /api/oauth-clients` shows the redirect address; `PUT /api/oauth-clients/{app}` and `DELETE /api/oauth-clients/{app}` are for the administrator.",
      proofs: [
        "test/connection-oauth.test.ts › behind a proxy the redirect address is that of PUBLIC_URL; other settings of the request change nothing",
        "test/connection-oauth.test.ts › only the administrator enters clients of the instance",
        "test/connection-oauth.test.ts › the client of the instance connects the app for every user, and its secret is shown to nobody",
        "server/connections/oauth-clients.test.ts › the client of the instance is never sent to a host of the user's choice",
      ],
    },
    {
      id: "41.9",
      text: 'With `settings.onConnectionProblem: "wait"` a step whose connection is refused waits for its repair, up to 24 hours.',
      proofs: [
        "test/connection-waits.test.ts › a run that waits for a connection survives a restart and continues when the secret is replaced",
        "test/connection-waits.test.ts › a successful test continues the runs that wait, those of other connections stay, and without the setting a run fails",
        "test/connection-waits.test.ts › waits for a connection use up no retry, and end a day after the problem began",
        "server/engine/run/retry.test.ts › a refused connection is tried hourly for a day, any other failure not at all",
      ],
    },
    {
      id: "41.10",
      text: "Saving a workflow warns about `unknown_connection`.",
      proofs: ["test/connections.test.ts › saving a workflow warns about connections that do not exist"],
    },
  ],
};
