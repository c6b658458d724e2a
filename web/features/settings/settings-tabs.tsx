import { Link, useLocation } from "wouter";
import { useMayOpen } from "../shell/use-may-open.ts";

const TABS = [
  ["/settings", "Account"],
  ["/settings/security", "Security"],
  ["/settings/members", "Members"],
  ["/settings/notifications", "Notifications"],
  ["/settings/api-keys", "API keys"],
  ["/settings/connected-apps", "Connected apps"],
  ["/settings/events", "Events"],
  ["/settings/mcp-servers", "MCP servers"],
  ["/settings/audit-log", "Audit log"],
  ["/settings/limits", "Limits"],
] as const;

export function SettingsTabs() {
  const [location] = useLocation();
  const mayOpen = useMayOpen();
  return (
    <nav className="tabs" aria-label="Settings">
      {TABS.filter(([to]) => mayOpen(to)).map(([to, label]) => (
        <Link key={to} href={to} aria-current={location === to ? "page" : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
