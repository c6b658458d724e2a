import type { Section } from "./section.ts";

export const security: Section = {
  title: "Security guards",
  promises: [
    {
      id: "S1",
      text: "A placeholder is a path into data. It reaches only own properties, is never code, and its result is not expanded again.",
      proofs: [
        "contract/placeholders/template.test.ts › [S1] placeholders reach data and nothing else",
        "contract/placeholders/template.test.ts › [S1] text that a placeholder inserts is never expanded again",
        "contract/placeholders/language.test.ts › [S1] a placeholder renders to the value at its path, with its type, and to nothing else",
        "contract/placeholders/language.test.ts › [S1] text between braces is a path or plain text: JavaScript internals are unreachable",
      ],
    },
    {
      id: "S2",
      text: "No text is ever evaluated as code, in the service or in its page.",
      proofs: ["test/security/source.test.ts › [S2] neither the service nor the page evaluates text as code"],
    },
    {
      id: "S3",
      text: "A service that others can reach connects to no loopback, private, link-local or metadata address, however it is written, and uses only http and https.",
      proofs: [
        "server/security/egress.test.ts › [S3] a service that others can reach does not connect to itself as %s",
        "server/security/address-classes.test.ts › [S3] %s (%s) is private",
        "server/security/address-classes.test.ts › [S3] %s (%s) is a metadata address",
        "server/security/egress-policy.test.ts › [S3] a service that others can reach allows the public internet only",
        "server/security/guarded-fetch.test.ts › [S3] %j is not a valid URL to call",
      ],
    },
    {
      id: "S4",
      text: "A redirect is a new call: checked again, at most ten of them, without secret headers to another origin.",
      proofs: [
        "server/security/redirects.test.ts › [S4] %i to a blocked address is denied",
        "server/security/redirects.test.ts › [S4] %i to another origin sends no secret header",
        "server/security/redirects.test.ts › [S4] ten redirects are followed, the eleventh is too_many_redirects",
      ],
    },
    {
      id: "S5",
      text: "A host name is resolved once; the connection, with or without TLS, goes to the checked address.",
      proofs: [
        "server/security/egress.test.ts › [S5] the connection goes to the checked address: the name is resolved once",
        "server/security/egress.test.ts › [S5] a TLS connection goes to the checked address with the requested server name",
      ],
    },
    {
      id: "S6",
      text: "The same guard protects calls to models, embedding services, MCP servers, external agents and URLs of documents. An import fetches nothing, and no caller can name an address to push to.",
      proofs: [
        "test/models/model-steps.test.ts › [S6] a public server reaches the operator's own model on loopback, and a user's step still does not",
        "test/models/model-steps.test.ts › [S6] a redirect of a model's address is not followed, so the key is not sent on",
        "server/steps/mcp.test.ts › [S6] calls to MCP servers pass the egress guard and follow no redirect",
        "test/teams/external-agents.test.ts › [S6] is called through the egress guard",
        "test/security/nothing-runs.test.ts › [S6] the embedding service is called through the egress guard",
        "test/security/nothing-runs.test.ts › [S6] a template is never fetched: a URL is not a template",
        "test/documents/urls.test.ts › [S6] a URL %s is refused and leaves nothing behind",
        "test/security/nothing-runs.test.ts › [S6] messages to the address of a subscriber pass the egress guard",
      ],
    },
    {
      id: "S7",
      text: "A file step stays in its owner's folder: no parent paths, links, devices or hard links, within limits of size and number.",
      proofs: [
        "server/steps/file.test.ts › [S7] %j leads out of the folder and is refused",
        "server/steps/file.test.ts › [S7] owners do not see each other's files",
        "server/steps/file.test.ts › [S7] a file over the limit is rejected and the old content stays",
        "server/storage/files/folder-store.test.ts › [S7] links are never followed, at any position of the path",
        "server/storage/files/durable-file.test.ts › [S7] a link that replaces a file after the check is not opened for reading or writing",
      ],
    },
    {
      id: "S8",
      text: "A body that names a file is data, not an upload; nothing is read from disk for it.",
      proofs: [
        "test/documents/bad-uploads.test.ts › [S8] a JSON body that names a file is not an upload",
        "test/webhook-calls.test.ts › [S8] only JSON, forms and binary files are accepted, and a body that names a file stays data",
      ],
    },
    {
      id: "S9",
      text: "A public call runs the stored graph, whatever its body contains.",
      proofs: ["test/public-calls.test.ts › [S9] a graph or settings in the body are not run"],
    },
    {
      id: "S10",
      text: "A request is authorized before its body is read.",
      proofs: [
        "test/public-calls.test.ts › [S10] without a valid key the body is not parsed and no task is created",
        "test/webhook-calls.test.ts › [S10] a call without the right secret is rejected before its body is read",
        "test/models/generation.test.ts › [S10] without a login nothing is generated, and the model is not called",
        "test/openapi.test.ts › [S10] the document's security matches the routes: protected ones return 401, public ones do not",
      ],
    },
    {
      id: "S11",
      text: "Saving, importing, validating, cloning and generating execute no step and call no address.",
      proofs: [
        "test/security/nothing-runs.test.ts › [S11] saving, registering, validating, importing and cloning run no step and call no address",
        "test/models/generation.test.ts › [S11] generating runs no step and calls no address of the graph",
      ],
    },
    {
      id: "S12",
      text: "No command of a user is ever started; MCP servers are addresses.",
      proofs: [
        "server/steps/mcp.test.ts › [S12] a command, a file or any other scheme is rejected as an MCP server",
        "test/security/source.test.ts › [S12] child processes run expressions, SQLite queries and the MCP servers of the operator: no user input names a command",
      ],
    },
    {
      id: "S13",
      text: "A record of another user is 403 for every method of every route, also over sockets.",
      proofs: [
        "test/ownership.test.ts › [S13] [S15] another user's record is 403 for every verb of every route, an unknown one 404, and nothing changes",
        "test/ownership.test.ts › [S13] lists contain only the caller's own records",
        "test/teams/socket-upgrade.test.ts › [S13] [S24] another user's team, session and task are forbidden, and unknown ones not found",
        "test/webhooks.test.ts › [S13] webhooks and deliveries of other users are 403 for every method",
        "test/fuzz/requests.test.ts › [S13] [S28] generated requests of both users and of anonymous callers get no 5xx, only the error shape, and no data of the other user",
        "test/fuzz/sockets.test.ts › [S13] [S28] every socket request is acknowledged with a reason, leaks no other user's data, and leaves the service up",
      ],
    },
    {
      id: "S14",
      text: "A query searches only documents of its user and reveals nothing about others, not even their number.",
      proofs: [
        "test/documents/questions.test.ts › [S14] another user's id is 404 like an unknown one, alone or among own ones",
        "test/documents/questions.test.ts › [S14] the term statistics of other users do not change an answer",
      ],
    },
    {
      id: "S15",
      text: "A user cannot overwrite or delete records of another user.",
      proofs: [
        "test/ownership.test.ts › [S13] [S15] another user's record is 403 for every verb of every route, an unknown one 404, and nothing changes",
      ],
    },
    {
      id: "S16",
      text: "Only the hash of an API key is stored; the key is shown once, compared in constant time, and fails as soon as it is revoked or expires.",
      proofs: [
        "test/keys.test.ts › [S16] only the hash of a key is stored, and no response shows the key again",
        "test/keys.test.ts › [S16] a revoked key fails from the next request on",
        "test/keys.test.ts › [S16] a key of another owner, a login token and a key that differs in its last character fail with the same error",
        "test/keys.test.ts › [S16] an expired key fails",
        "server/security/api-keys.test.ts › [S16] secrets are equal only when every character is, whatever their lengths",
      ],
    },
    {
      id: "S17",
      text: "Secrets of webhooks and teams are shown once and are in no later response, log, task, delivery or file.",
      proofs: [
        "test/webhook-calls.test.ts › [S17] the secret is in no response, task, delivery or file, however it was sent",
        "test/teams/a2a-webhook.test.ts › [S17] the secret is shown once, works until it is rotated, and is stored nowhere",
        "test/accepted-calls.test.ts › [S17] the log contains neither keys nor secrets, however they were sent",
        "server/security/redact-request.test.ts › [S17] the secret is redacted in every header, also in encoded form",
      ],
    },
    {
      id: "S18",
      text: "An external agent needs the team's secret and a listed name, and reaches only the sessions of that team.",
      proofs: [
        "test/teams/a2a-webhook.test.ts › [S18] no secret is 401; a wrong one, another team's or an unknown team is the same 403",
        "test/teams/a2a-webhook.test.ts › [S18] the right secret with an unlisted name or an internal agent's name is 403 unknown_agent",
        "test/teams/a2a-webhook.test.ts › [S18] another team's session, an unknown or a cancelled one is 400 invalid_session",
        "test/teams/a2a-standard.test.ts › [S18] requires the secret and a listed name",
      ],
    },
    {
      id: "S19",
      text: "Signatures are verified over the raw bytes, within a time window, and a replayed delivery creates no second task.",
      proofs: [
        "test/webhook-signatures.test.ts › [S19] $signature.scheme: a changed or re-serialised body, a wrong and a missing signature fail",
        "test/webhook-signatures.test.ts › [S19] $signature.scheme: a signature that is too old or from the future fails",
        "test/webhook-signatures.test.ts › [S19] a delivery replayed with its id starts no second task",
      ],
    },
    {
      id: "S20",
      text: "A secret that a step uses is redacted in results, events, errors, approval messages, logs and exports, in any letter case and encoding.",
      proofs: [
        "server/security/redact.test.ts › [S20] a secret %s is redacted completely",
        "test/security/secrets-and-settings.test.ts › [S20] no approval message and no error shows a secret, in any letter case or encoding",
        "server/engine/tests/graphs.test.ts › [S20] appear nowhere, in no encoding, also when a server echoes them",
        "server/security/redact.test.ts › [S20] no text with a secret anywhere keeps it, and no text without one changes",
        "server/security/redact-stream.test.ts › [S20] %s is redacted wherever it is split",
        "server/models/redacted-model.test.ts › [S20] the credential of a model is redacted from its stream wherever the stream splits it",
        "server/models/redacted-model.test.ts › [S20] secrets of the run are redacted from the live text of a step, and paragraphs stay apart",
        "test/security/secrets-and-settings.test.ts › [S20] a secret is in no export, no template and no line of the log, also when the step that uses it fails",
        "test/teams/agents.test.ts › [S20] receives no secret of its owner, since its tools' tasks are stored",
      ],
    },
    {
      id: "S21",
      text: "Secrets are encrypted at rest, bound to their owner and name, and the key can be rotated.",
      proofs: [
        "test/variables.test.ts › [S21] a secret is in no response and is encrypted in the database",
        "server/variables/vault.test.ts › [S21] after a key rotation old secrets can be decrypted; without the old key the error says why not",
        "server/variables/vault.test.ts › [S21] an encrypted row copied to another owner or name cannot be decrypted",
      ],
    },
    {
      id: "S22",
      text: "Only HS256 tokens of this service are accepted; guessing passwords is slow.",
      proofs: [
        "server/security/tokens.test.ts › [S22] rejected: %s",
        "test/accounts.test.ts › [S22] the login limit returns 429 with Retry-After, and a forged X-Forwarded-For does not bypass it",
      ],
    },
    {
      id: "S23",
      text: "Limits of 20 webhook calls and 10 generations per minute are reported in `Retry-After`, cannot be bypassed with a forged header, and use bounded memory.",
      proofs: [
        "test/webhook-calls.test.ts › [S23] twenty calls per minute for each address and webhook, counted before the secret and regardless of X-Forwarded-For",
        "test/models/generation.test.ts › [S23] ten requests a minute per user with Retry-After, regardless of X-Forwarded-For",
        "test/teams/a2a-webhook.test.ts › [S23] the limit is twenty a minute per team, counted before the secret is checked",
        "server/lib/rate-limiter.test.ts › [S23] invented keys do not fill the memory: the oldest entries are evicted",
      ],
    },
    {
      id: "S24",
      text: "Only the operator can allow other origins; there are no cookies; a socket needs an access token for each room.",
      proofs: [
        "test/system.test.ts › [S24] no other origin is allowed by default",
        "test/teams/socket-upgrade.test.ts › [S24] a page of another origin cannot open a socket, unless the operator lists it",
        "test/teams/socket-upgrade.test.ts › [S24] a socket needs a valid token",
        "test/security/secrets-and-settings.test.ts › [S24] no response sets a cookie: a login is a header that no other page can send",
      ],
    },
    {
      id: "S25",
      text: "The page shows names, messages, titles and answers as text; files are downloaded, never opened.",
      proofs: [
        "test/browser/builder.test.ts › [S25] hostile names are shown as text and load nothing",
        "test/documents/documents.test.ts › [S25] the file is returned unchanged, as a download that never runs",
        "test/documents/ingestion.test.ts › [S25] a title is text: from the metadata, the file or its name, and harmless in a header",
      ],
    },
    {
      id: "S26",
      text: "Instructions in a document are text: they do not widen a search, call anything or load an image.",
      proofs: [
        "test/documents/questions.test.ts › [S26] instructions in a document are text: they widen no search, call nothing and are quoted",
        "server/documents/answer/citations.test.ts › [S26] images, links and tags are removed",
        "server/documents/answer/answer.test.ts › [S26] passages are delimited by a marker that a document cannot know",
      ],
    },
    {
      id: "S27",
      text: "A hostile file of any format is stopped by limits of time and memory, in a worker, and is a 4xx.",
      proofs: [
        "test/documents/bad-uploads.test.ts › [S27] a PDF that %s is 422 and leaves nothing behind",
        "server/documents/extract/extract.test.ts › [S27] a stream that inflates beyond the limit is rejected",
        "server/documents/extract/extract.test.ts › [S27] a file that needs more memory than the worker has ends the worker and nothing else",
        "server/documents/extract/extract.test.ts › [S27] a file with too many pages is rejected",
        "server/documents/extract/extract.test.ts › [S27] a circular page tree ends",
        "server/documents/extract/pdf/bombs.test.ts › [S27] commands nested three million times end within seconds",
        "server/documents/extract/pdf/bombs.test.ts › [S27] a cross-reference table that claims two billion objects is not believed",
        "test/documents/bad-uploads.test.ts › [S27] %s is 422 and leaves nothing behind",
        "test/documents/bad-uploads.test.ts › [S27] no entity of a DOCX is expanded or loaded",
        "server/documents/extract/read-document.test.ts › [S27] a line of 10 MB, with or without blanks, is cut into pages",
        "server/documents/extract/read-document.test.ts › [S27] an archive whose entries inflate beyond the limit in total is refused",
        "server/documents/extract/read-document.test.ts › [S27] a cell far to the right or a deep nesting does not fill memory",
      ],
    },
    {
      id: "S28",
      text: "JSON of any depth, size and key is rejected or stored unchanged, never a 5xx.",
      proofs: [
        "test/errors.test.ts › [S28] a body %s is 400 invalid_json",
        "test/errors.test.ts › [S28] half a surrogate pair is stored or rejected, never a 500",
        "test/errors.test.ts › [S28] more than 2 MiB is 413, also without a content-length",
        "contract/graph/hostile.test.ts › [S28] any JSON value results in problems of the known shape",
        "test/fuzz/requests.test.ts › [S13] [S28] generated requests of both users and of anonymous callers get no 5xx, only the error shape, and no data of the other user",
        "test/fuzz/sockets.test.ts › [S13] [S28] every socket request is acknowledged with a reason, leaks no other user's data, and leaves the service up",
      ],
    },
    {
      id: "S29",
      text: "No pattern and no template takes more than linear time.",
      proofs: [
        "server/steps/condition.test.ts › [S29] a pattern that never ends in a backtracking engine is decided",
        "contract/placeholders/template.test.ts › [S29] a megabyte of %s is read in one pass",
        "server/models/json-schema.test.ts › [S29] hostile schemas end: endless references, exponential patterns, wide combinations",
        "server/workflows/generation/planner/plan.test.ts › [S29] four thousand hostile characters are parsed within the time limit of the test",
      ],
    },
    {
      id: "S31",
      text: "JSONata runs in a separate process, and the code of `code` steps and `{{= }}` in QuickJS inside WebAssembly: without environment, network or files, and stopped at their limits.",
      proofs: [
        "server/steps/transform.test.ts › [S31] %s runs no code",
        "server/steps/transform.test.ts › [S31] %s reaches nothing",
        "server/steps/transform.test.ts › [S31] an endless expression is stopped, and the next one works",
        "server/steps/transform.test.ts › [S31] %s exceeds the memory limit, and the service stays up",
        "server/sandbox/hostile-code.test.ts › [S31] nothing of the host is reachable: %s",
        "server/sandbox/hostile-code.test.ts › [S31] it ends within its limits, and the code of another owner runs: %s",
        "server/sandbox/dates.test.ts › [S31] what the thread refuses is an error of the code, without its stack: %s",
      ],
    },
    {
      id: "S32",
      text: "No GET decides an approval, exactly one decision counts, and only the owner or the holder of a signed link, which works once and ends with the approval, can decide.",
      proofs: [
        "server/engine/tests/approvals.test.ts › [S32] is not decided by a GET, another user or a guessed id",
        "server/engine/tests/approvals.test.ts › [S32] accepts an empty body, and refuses a second decision",
        "test/approval-links.test.ts › [S32] is never decided by GET or HEAD, and needs an answer in the body",
        "test/approval-links.test.ts › [S32] decides without a login, once, with a comment that the run keeps",
        "test/approval-links.test.ts › [S32] that was changed or guessed is not found",
        "test/approval-links.test.ts › [S32] of an earlier attempt does not decide the approval that a rerun opens",
        "test/approval-links.test.ts › [S32] ends with a cancelled task and with the account",
      ],
    },
    {
      id: "S33",
      text: "Neither the environment of the process nor its proxy can be set from data.",
      proofs: [
        "server/security/egress.test.ts › [S33] proxy variables of the environment are ignored",
        "test/security/secrets-and-settings.test.ts › [S33] variables named like settings of the process stay data and never reach its environment",
      ],
    },
    {
      id: "S34",
      text: "Packages are pinned, locked by their hashes, and run no script when they are installed.",
      proofs: [
        "test/security/source.test.ts › [S34] every package is pinned, locked by its hash, and installed without its scripts",
      ],
    },
    {
      id: "S35",
      text: "A request or a socket under a name that is not a name of this service is refused, which stops DNS rebinding.",
      proofs: [
        "server/http/allowed-hosts.test.ts › [S35] the Host header %j is not allowed",
        "test/host-names.test.ts › [S35] a page that points its own name at this service can neither register nor read",
        "test/host-names.test.ts › [S35] no socket opens under a foreign name",
      ],
    },
  ],
  notApplicable: [
    {
      id: "S30",
      reason: "There is no MCP server in this version. The service calls MCP servers and is none.",
    },
  ],
};
