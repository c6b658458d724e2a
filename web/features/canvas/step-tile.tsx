import { useAgents } from "../../api/agents.ts";
import { isDeletedAgent } from "../../flow/deleted-agent.ts";
import { useApps } from "../../api/apps.ts";
import { useWorkflows } from "../../api/workflows.ts";
import { AppTile } from "../../ui/app-tile.tsx";
import { stepIcon } from "./step-icons.ts";

interface StepTileProps {
  type: string;
  /** The app of an `app` step. */
  app: unknown;
  size?: "small" | "large";
}

/** The icon of a step, or the letters of its app. Other steps ask for no apps: a canvas may have thousands. */
export function StepTile({ type, app, size = "large" }: StepTileProps) {
  const Icon = stepIcon(type);
  const icon = <Icon size={size === "large" ? 16 : 14} aria-hidden />;
  const tile = type === "app" && typeof app === "string" ? <AppLetters app={app} size={size} /> : icon;
  return size === "large" ? <span className="tile">{tile}</span> : tile;
}

function AppLetters({ app, size }: { app: string; size: "small" | "large" }) {
  const found = useApps().data?.find(({ id }) => id === app);
  return found === undefined ? null : <AppTile icon={found.icon} size={size} />;
}

interface AppWordsProps {
  app: string;
  action: unknown;
  /** Until the apps are loaded. */
  fallback: string;
}

/** "Slack · Send a message": an `app` step in the words of its app. */
export function AppWords({ app, action, fallback }: AppWordsProps) {
  const found = useApps().data?.find(({ id }) => id === app);
  if (found === undefined) return <>{fallback}</>;
  const title = found.actions.find(({ id }) => id === action)?.title;
  return <>{title === undefined ? found.title : `${found.title} · ${title}`}</>;
}

/** "Workflow · Send invoice": a step that runs a workflow by its name. */
export function WorkflowWords({ workflowId, fallback }: { workflowId: string; fallback: string }) {
  const found = useWorkflows().data?.find(({ id }) => id === workflowId);
  return <>{found === undefined ? fallback : `Workflow · ${found.name}`}</>;
}

/** "Agent · Clerk": an `agent` step by the name of its agent. */
export function AgentWords({ agentId, fallback }: { agentId: string; fallback: string }) {
  const agents = useAgents().data;
  if (isDeletedAgent(agentId, agents)) return <span className="bad-ink">Agent deleted</span>;
  const found = agents?.find(({ id }) => id === agentId);
  return <>{found === undefined ? fallback : `Agent · ${found.name}`}</>;
}
