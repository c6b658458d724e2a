import {
  CheckSquare,
  FileText,
  type LucideIcon,
  Play,
  Plug,
  Shapes,
  Users,
  Variable,
  Workflow,
} from "lucide-react";

interface NavItem {
  to: string;
  label: string;
  icon: LucideIcon;
  /** Another path prefix that marks this item as current. */
  also?: string;
}

export const navItems: readonly NavItem[] = [
  { to: "/workflows", label: "Workflows", icon: Workflow },
  { to: "/runs", label: "Runs", icon: Play },
  { to: "/approvals", label: "Approvals", icon: CheckSquare },
  { to: "/endpoints", label: "Endpoints", icon: Plug },
  { to: "/variables", label: "Variables", icon: Variable },
  { to: "/teams", label: "Teams", icon: Users, also: "/agents" },
  { to: "/documents", label: "Documents", icon: FileText },
  { to: "/templates", label: "Templates", icon: Shapes },
];
