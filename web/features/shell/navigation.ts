import {
  Bell,
  Bot,
  Cable,
  CircleCheck,
  Database,
  FileText,
  FolderOpen,
  House,
  LayoutTemplate,
  type LucideIcon,
  Play,
  Plug,
  Settings,
  ShieldCheck,
  Users,
  Variable,
  Workflow,
} from "lucide-react";

export interface NavItem {
  to: string;
  label: string;
  icon: LucideIcon;
}

/** The groups of the rail, from top to bottom. */
export const navGroups: readonly (readonly NavItem[])[] = [
  [
    { to: "/", label: "Home", icon: House },
    { to: "/workflows", label: "Workflows", icon: Workflow },
    { to: "/runs", label: "Runs", icon: Play },
    { to: "/approvals", label: "Approvals", icon: CircleCheck },
  ],
  [
    { to: "/agents", label: "Agents", icon: Bot },
    { to: "/teams", label: "Teams", icon: Users },
    { to: "/documents", label: "Documents", icon: FileText },
    { to: "/clients", label: "Clients", icon: Cable },
  ],
  [
    { to: "/connections", label: "Connections", icon: Plug },
    { to: "/variables", label: "Variables", icon: Variable },
    { to: "/store", label: "Store", icon: Database },
    { to: "/files", label: "Files", icon: FolderOpen },
    { to: "/templates", label: "Templates", icon: LayoutTemplate },
  ],
];

export const notificationsItem: NavItem = { to: "/notifications", label: "Notifications", icon: Bell };
/** For administrators of the instance. */
export const administrationItem: NavItem = {
  to: "/administration",
  label: "Administration",
  icon: ShieldCheck,
};
export const settingsItem: NavItem = { to: "/settings", label: "Settings", icon: Settings };

/** The tabs of Settings. */
export const settingsScreens = [
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

export function isCurrent({ to }: NavItem, location: string): boolean {
  return to === "/" ? location === "/" : location === to || location.startsWith(`${to}/`);
}

/** Screens that need the whole width: the rail shows only icons there. */
export function needsWidth(location: string): boolean {
  return /^\/(workflows|runs|agents)\/[^/]+/.test(location);
}
