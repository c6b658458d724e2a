import type { Section } from "./section.ts";

export const operatorSettings: Section = {
  title: "Operator settings",
  promises: [
    {
      id: "19.1",
      text: "Every setting is optional and validated at start; all problems are reported at once.",
      proofs: [
        "server/config.test.ts › an empty environment gives a complete configuration",
        "test/process.test.ts › all invalid settings are listed at once, and nothing starts",
      ],
    },
    {
      id: "19.2",
      text: "`.env.example` explains every setting and no other.",
      proofs: ["test/env-example.test.ts › .env.example names every setting of environment.ts and no other"],
    },
    {
      id: "19.3",
      text: "Keys are generated into the data folder if unset, and can be rotated.",
      proofs: [
        "server/key-files.test.ts › keys are generated once, stored with mode 0600 and loaded again",
        "server/config.test.ts › encryption keys can be hex or base64, with several keys for rotation",
        "server/variables/vault.test.ts › [S21] after a key rotation old secrets can be decrypted; without the old key the error says why not",
      ],
    },
    {
      id: "19.4",
      text: "Limits per minute: 20 webhooks, 10 generations, 20 logins; 0 disables a limit.",
      proofs: [
        "test/conformance/api-rules.test.ts › without any setting the configuration has the documented defaults",
        "server/lib/rate-limiter.test.ts › a limit of zero allows every request",
      ],
    },
    {
      id: "19.5",
      text: "Defaults: loopback, port 3000, `./data`, registration open, 60 s for synchronous calls, tasks kept forever, local embeddings.",
      proofs: [
        "test/conformance/api-rules.test.ts › without any setting the configuration has the documented defaults",
      ],
    },
    {
      id: "19.6",
      text: "Outbound calls use only http or https and are checked at connect time and on every redirect (`egress_denied`).",
      proofs: [
        "server/security/egress.test.ts › [S5] the connection goes to the checked address: the name is resolved once",
        "server/security/redirects.test.ts › [S4] %i to a blocked address is denied",
        "server/security/guarded-fetch.test.ts › [S3] %j is not a valid URL to call",
      ],
    },
    {
      id: "19.7",
      text: "Metadata addresses are never reachable. Private ranges are open while only this machine can reach the service. With a `HOST` or `PUBLIC_URL` other than loopback, or with `TRUST_PROXY`, they are closed unless `EGRESS_ALLOW` opens them.",
      proofs: [
        "server/security/egress-policy.test.ts › no setting allows a metadata address",
        "server/security/egress-policy.test.ts › only this machine can reach the service with %j, so the private ranges are allowed",
        "server/security/egress-policy.test.ts › [S3] others can reach the service with %j, so the private ranges are blocked",
        "server/security/egress-policy.test.ts › EGRESS_ALLOW allows by %s",
      ],
    },
    {
      id: "19.8",
      text: "A shutdown accepts no new work (`unavailable`) and releases unfinished work; a full disk is `storage_unavailable`.",
      proofs: [
        "test/chaos/shutdown.test.ts › [R20] a run that does not end in time is handed over: the next process resumes it, and no caller is kept waiting",
        "test/chaos/full-disk.test.ts › [R17] with a full disk new work is refused, nothing is acknowledged, and work continues without a restart once space is free",
      ],
    },
    {
      id: "19.9",
      text: "`EGRESS_*` take hosts, hosts with a port, and ranges; anything else is refused at start.",
      proofs: [
        "server/security/egress-policy.test.ts › EGRESS_ALLOW allows by %s",
        "server/security/egress-policy.test.ts › the entry %j is rejected at start",
      ],
    },
    {
      id: "19.10",
      text: "`WORKER_CONCURRENCY` limits the tasks that run at once; the rest is queued.",
      proofs: [
        "server/engine/tests/stopping.test.ts › are queued, run in turn and never exceed the limit",
        "server/engine/tests/optimistic-start.test.ts › needs no slot: a task of pure steps does not queue behind slow tasks",
      ],
    },
    {
      id: "19.11",
      text: "`RETENTION_DAYS` removes finished tasks and nothing unfinished.",
      proofs: [
        "server/retention/retention.test.ts › an expired task is deleted with its journal, approvals and large outputs",
        "server/retention/retention.test.ts › tasks related to an unfinished task are kept: its parent, its sub-workflows and the task it replays",
      ],
    },
    {
      id: "19.12",
      text: "`TRUST_PROXY` and `CORS_ORIGINS` trust only what the operator lists, by default nothing; generated addresses start with `PUBLIC_URL`.",
      proofs: [
        "test/accounts.test.ts › behind a trusted proxy the limit applies to each caller",
        "test/system.test.ts › only the origins in CORS_ORIGINS are allowed",
        "test/system.test.ts › [S24] no other origin is allowed by default",
        "test/webhooks.test.ts › the URL starts with PUBLIC_URL if it is set",
      ],
    },
    {
      id: "19.13",
      text: "Document routes are under `/api/v1`, OpenAI's under `/v1`, all others under `/api` without a version.",
      proofs: [
        "test/conformance/api-rules.test.ts › only documents and OpenAI's routes carry a version in their path",
      ],
    },
    {
      id: "19.15",
      text: "`GET /api/admin/workspaces/{workspaceId}/rules`, `PATCH /api/admin/workspaces/{workspaceId}/rules`: limits and retention of one workspace, for the administrator; another user gets 403 `forbidden`, an unknown workspace is 404.",
      proofs: [
        "test/administration.test.ts › the administrator sets the limits of a workspace, which hold at once",
        "server/retention/retention.test.ts › a workspace may keep its tasks for a shorter or longer time than the instance",
      ],
    },
    {
      id: "19.16",
      text: "`GET /api/admin/users`, `GET /api/admin/users/{userId}`: the accounts of the instance, for administrators only (403 `forbidden`); an unknown one is 404 `user_not_found`.",
      proofs: [
        "test/admin-users.test.ts › administrators list accounts, search them and page through them",
        "test/admin-users.test.ts › [S22] nobody but administrators reaches accounts and invitations, and nothing leaks",
      ],
    },
    {
      id: "19.17",
      text: "`PATCH /api/admin/users/{userId}`: a disabled account cannot log in (403 `account_disabled`); its logins, keys, apps, sockets and streams end at once in every process, and nothing starts in its personal workspace. The last administrator stays one (409 `last_administrator`).",
      proofs: [
        "test/admin-users.test.ts › [S22] a disabled account cannot log in, and its logins, keys and apps stop until it is enabled",
        "test/admin-users.test.ts › nothing starts in the personal workspace of a disabled account; runs that have begun go on",
        "test/admin-users.test.ts › [S22] disabling ends sockets and streams in every process",
        "test/streams-end.test.ts › [S22] disabling an account ends its streams of every kind, in %s, and no others",
        "test/streams-end.test.ts › [S22] deleting an account ends its streams of every kind",
        "test/streams-end.test.ts › [S22] revoking an API key ends the streams that it opened, in %s, and no others",
        "test/streams-end.test.ts › [S22] a member who is removed loses every stream in the workspace, and keeps the personal ones",
        "test/streams-end.test.ts › [S22] an app that is disconnected or revokes its token loses its streams",
        "test/admin-users.test.ts › the last administrator who can log in stays one, also when two remove each other at once",
        "server/triggers/trigger-loop.test.ts › a disabled account is no failure of the source",
      ],
    },
    {
      id: "19.18",
      text: "`DELETE /api/admin/users/{userId}` gives the personal workspace to `transferTo`, under the same ids, or deletes it with `deleteRecords=true`; `dryRun=true` reports.",
      proofs: [
        "test/admin-users.test.ts › a dry run reports what the deletion of an account does, and changes nothing",
        "test/admin-users.test.ts › a deleted account leaves its records to a user, under the same ids and addresses",
        "test/admin-users.test.ts › a deleted account leaves its records to the members of a workspace, with their roles",
        "test/admin-users.test.ts › an account is deleted with its records",
      ],
    },
    {
      id: "19.19",
      text: "`POST /api/admin/invitations` returns a link that creates one account within seven days, also while registration is closed, and mails it; `GET /api/admin/invitations`, `DELETE /api/admin/invitations/{invitationId}`, `POST /api/auth/invitation`.",
      proofs: [
        "test/account-invitations.test.ts › an invitation creates an account while registration is closed, once",
        "test/account-invitations.test.ts › [S22] an invitation for an address serves no other, and none after it was withdrawn",
        "test/account-invitations.test.ts › an invitation expires after seven days",
        "test/account-invitations.test.ts › a taken address keeps the invitation",
        "test/account-invitations.test.ts › with SMTP, invitations to the instance and to a workspace are mailed to their address",
        "test/account-invitations.test.ts › mails of a workspace are limited",
        "test/oidc.test.ts › with OIDC_ONLY, the link of an invitation creates one account through the provider",
        "test/oidc.test.ts › [S22] an invitation for an address is used by the login whose provider verified it, with or without the link",
        "test/oidc.test.ts › [S22] the first login joins the workspaces that invited its verified address",
      ],
    },
    {
      id: "19.20",
      text: "`GET /api/admin/tasks` lists the open runs, sessions and ingestions of all workspaces without their contents; `POST /api/admin/tasks/{taskId}/stop` and `POST /api/admin/workspaces/{workspaceId}/stop` stop them (a document is `ingestion_stopped`). For administrators only.",
      proofs: [
        "test/admin-instance.test.ts › administrators see the open runs of all workspaces, and nothing of their contents",
        "test/admin-instance.test.ts › a page of open runs continues where the last one ended, across workspaces",
        "test/admin-instance.test.ts › administrators stop one run, or all runs of a workspace, and no other",
        "test/admin-instance.test.ts › administrators see and stop sessions of teams and documents that are ingested",
        "test/admin-instance.test.ts › [S22] nobody but administrators sees or stops the runs of others",
      ],
    },
    {
      id: "19.21",
      text: "`GET /api/admin/storage`: what each workspace stores, measured in small steps, with the database and the disk; `GET /api/admin/workspaces` lists the workspaces.",
      proofs: [
        "test/admin-instance.test.ts › the storage of each workspace is measured, with the database and the disk",
        "test/admin-instance.test.ts › many runs are counted exactly, and their sizes estimated",
        "test/admin-instance.test.ts › administrators list the workspaces of the instance",
      ],
    },
    {
      id: "19.22",
      text: "`npm run admin` does the same for an operator: users, invite, disable, enable, delete-user, tasks, stop, rules, storage; `--json` for programs.",
      proofs: [
        "test/operations/admin-users.test.ts › the operator lists, invites, disables and enables accounts",
        "test/operations/admin-users.test.ts › the operator deletes an account after a dry run, and its records go to another",
        "test/operations/admin-users.test.ts › the operator lists and stops runs, and measures the storage",
        "test/operations/admin-users.test.ts › the operator lists and stops sessions of teams and ingestions of documents",
        "test/operations/admin-users.test.ts › the operator sets the limits and the retention of a workspace, also in a running service",
        "test/operations/admin-users.test.ts › [S22] an account that the operator disables loses access in a running service at once",
      ],
    },
    {
      id: "19.23",
      text: "The page has all of it under `/administration`, which only administrators see.",
      proofs: [
        "test/browser/administration.test.ts › an administrator invites, disables, enables and deletes people",
        "test/browser/administration.test.ts › an administrator sets limits, stops runs and sees the storage",
        "test/browser/administration.test.ts › on a phone and in the dark, the tabs fit",
      ],
    },
    {
      id: "19.14",
      text: "Every error code has its documented status.",
      proofs: ["test/conformance/api-rules.test.ts › every error code has its documented status"],
    },
  ],
};
