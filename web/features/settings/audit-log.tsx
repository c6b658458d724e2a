import { Screen } from "../../ui/screen.tsx";
import { AuditLogView } from "./audit-log-view.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";

/** The log of the workspace. */
export function AuditLog() {
  return (
    <Screen title="Settings">
      <div className="page stack">
        <SettingsTabs />
        <AuditLogView owner="workspace" />
      </div>
    </Screen>
  );
}
