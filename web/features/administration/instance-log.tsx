import { AuditLogView } from "../settings/audit-log-view.tsx";

/** The log of the instance: logins, accounts, workspaces and the administration. */
export function InstanceLog() {
  return (
    <section className="stack" aria-label="Audit log">
      <h2>Audit log</h2>
      <p className="small muted">
        Logins, accounts, new and deleted workspaces and the administration. Every workspace has a log of its
        own under Settings.
      </p>
      <AuditLogView owner="instance" />
    </section>
  );
}
