import {
  Bot,
  CircleHelp,
  Clock,
  Code,
  Database,
  FileSearch,
  FileText,
  GitFork,
  ListFilter,
  Globe,
  type LucideIcon,
  Mail,
  Plug,
  RadioTower,
  Repeat,
  RotateCw,
  Split,
  Sparkles,
  UserCheck,
  Wand,
  Workflow,
} from "lucide-react";

const icons: Record<string, LucideIcon> = {
  http: Globe,
  llm: Sparkles,
  file: FileText,
  agent: Bot,
  approval: UserCheck,
  condition: Split,
  switch: GitFork,
  transform: Wand,
  code: Code,
  data: ListFilter,
  store: Database,
  foreach: Repeat,
  while: RotateCw,
  workflow: Workflow,
  delay: Clock,
  wait_event: RadioTower,
  document_query: FileSearch,
  mcp: Plug,
  email: Mail,
};

export function stepIcon(type: string): LucideIcon {
  return icons[type] ?? (type.startsWith("agent") ? Bot : CircleHelp);
}
