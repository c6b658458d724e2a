import type { Section } from "./section.ts";

export const auditLog: Section = {
  title: "Audit log",
  promises: [
    {
      id: "44.1",
      text: "Every route that changes something is recorded, once, with its actor; a route that is not says why. A public route that says nothing about it keeps the service from starting.",
      proofs: [
        "test/audit-coverage.test.ts › every route that changes something writes exactly one action, with the actor and the operation of the route",
        "test/audit-coverage.test.ts › routes that are not recorded say why",
        "server/http/audit.test.ts › a service with a public route that says nothing about the audit log does not start",
      ],
    },
    {
      id: "44.2",
      text: "`GET /api/audit-events` lists one event for each action with before and after, filtered and in pages; `GET /api/audit-events/export` streams all events as NDJSON or CSV.",
      proofs: [
        "test/audit.test.ts › a change is recorded with its actor, target, address and the fields that differ; one event for each action",
        "test/audit.test.ts › events are filtered by actor, action, target and time, and listed in pages",
        "test/audit.test.ts › an export has all events; a spreadsheet reads a formula in a name as text",
        "test/audit.test.ts › reads of files and exports are recorded, once each, and other reads are not",
        "test/audit.test.ts › a large record is recorded by its fields; the largest ones by their length and hash",
      ],
    },
    {
      id: "44.3",
      text: "`GET /api/audit-events/verification` computes every hash again and names the first broken event. The database refuses to change events.",
      proofs: [
        "server/audit/audit-log.test.ts › the verification names the first broken event: %s",
        "server/audit/audit-log.test.ts › an event whose hash was computed again breaks the next one",
        "server/audit/audit-log.test.ts › the database refuses to change or delete an event",
      ],
    },
    {
      id: "44.4",
      text: "`GET /api/admin/audit-events`, `GET /api/admin/audit-events/export`, `GET /api/admin/audit-events/verification`: logins, accounts and the administration, for the administrator.",
      proofs: [
        "test/audit.test.ts › logins, failed logins, the second factor and password changes are in the log of the instance",
        "test/audit.test.ts › members, roles and deleted workspaces: the workspace and the instance each keep what concerns them",
        "test/audit.test.ts › builders read no audit log, and the log of the instance is for its administrator",
        "test/second-factor.test.ts › the log of the instance names the account of a wrong code, and who turned the second factor on and off",
      ],
    },
    {
      id: "44.5",
      text: "No event and no export contains a secret.",
      proofs: [
        "test/audit-secrets.test.ts › no secret is in an event or an export, also one that a record contains by mistake",
        "test/audit-secrets.test.ts › every secret that the workspace has stored is masked in a record that contains it by mistake",
        "test/audit-secrets.test.ts › a stored secret whose key is lost keeps nobody from replacing it",
        "server/security/redact-known.test.ts › finds each of hundreds of secrets, long and short, also encoded, and returns a clean value unchanged",
      ],
    },
    {
      id: "44.6",
      text: "A change is recorded before it is made: a kill at any moment leaves no change without a record, and an unbroken chain.",
      proofs: [
        "test/audit-crash.test.ts › after kills in the middle of many changes, every change has a record and the chain is unbroken",
        "server/http/audit.test.ts › nothing is changed when the attempt cannot be recorded",
        "test/audit.test.ts › an attempt without a result is listed: the process ended during the change",
      ],
    },
    {
      id: "44.7",
      text: "Appends at once, also of several processes, leave one unbroken chain.",
      proofs: [
        "server/audit/audit-log.test.ts › fifty appends at once, from two processes, leave one unbroken chain with every event once",
        "test/processes/audit.test.ts › two processes that change one workspace at once leave one unbroken chain with every change",
      ],
    },
    {
      id: "44.9",
      text: "A subscription to `baton.audit.recorded` receives every event, signed; the message is stored with the event.",
      proofs: [
        "test/audit-stream.test.ts › a subscriber receives every event of the workspace, signed, and can verify the chain with them",
        "test/audit-stream.test.ts › after an outage of the receiver and a restart of the service every event arrives, and the copy has no gap",
        "test/audit-stream.test.ts › a subscription to runs receives no audit events, and one to audit events none of runs",
      ],
    },
    {
      id: "44.10",
      text: "`npm run admin -- audit verify` verifies all logs and names the first broken event; commands that change something are recorded.",
      proofs: [
        "test/operations/audit.test.ts › the command verifies all logs and names the first event that was tampered with",
        "test/operations/audit.test.ts › the export has every event of every log, and never replaces a file",
        "test/operations/audit.test.ts › commands that change something are recorded, failed ones too; those that read are not",
      ],
    },
    {
      id: "44.11",
      text: "A decision through an approval link has the link as its actor; what a login of the OIDC provider changes has the provider. A dry run is not recorded.",
      proofs: [
        "test/approval-links.test.ts › is the actor of its decision in the audit log; a guessed link is in none",
        "test/oidc.test.ts › what a login of the provider changes is in the audit logs, once, with the provider as the actor",
        "server/http/audit.test.ts › a dry run is not recorded; a route without one cannot be called as one",
      ],
    },
    {
      id: "44.12",
      text: "A restored backup and an instance that was moved to PostgreSQL have the same logs and notifications; their chains verify and continue.",
      proofs: [
        "test/operations/log-copies.test.ts › a restored backup has the same logs and notifications, and its chains continue",
        "test/operations/log-copies.test.ts › an instance that was moved to PostgreSQL has the same logs and notifications, and its chains continue",
      ],
    },
    {
      id: "44.8",
      text: "The retention deletes the oldest events and leaves a chain that can be verified; the chain of a deleted workspace ends with it.",
      proofs: [
        "server/audit/audit-log.test.ts › the retention deletes the oldest events in small steps, and the rest stays verifiable",
        "server/audit/audit-log.test.ts › the chain of a deleted workspace is erased; what still arrives is recorded for the instance",
      ],
    },
  ],
};
