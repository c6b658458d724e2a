import { Bot, Server, Users, Workflow, Zap } from "lucide-react";
import { Link } from "wouter";
import type { ConnectionDetails } from "../../api/connections.ts";
import { useAll } from "../../api/pages.ts";
import { triggerId as triggerIdOf } from "../../flow/triggers.ts";
import { triggerLink } from "../builder/builder-link.ts";

type Uses = ConnectionDetails["usedBy"];

interface Use {
  key: string;
  name: string;
  to: string;
  icon: typeof Bot;
  what: string;
}

export function usesOf(
  { workflows, triggers, agents, teams, mcpServers }: Uses,
  linkOf: (triggerId: string) => string = () => "/workflows",
): Use[] {
  return [
    ...workflows.map(({ id, name }) => ({
      key: id,
      name,
      to: `/workflows/${id}`,
      icon: Workflow,
      what: "Workflow",
    })),
    ...triggers.map(({ id, name }) => ({ key: id, name, to: linkOf(id), icon: Zap, what: "Trigger" })),
    ...agents.map(({ id, name }) => ({ key: id, name, to: `/agents/${id}`, icon: Bot, what: "Agent" })),
    ...mcpServers.map(({ id, name }) => ({
      key: id,
      name,
      to: "/settings/mcp-servers",
      icon: Server,
      what: "MCP server",
    })),
    ...teams.map(({ id, name }) => ({ key: id, name, to: `/teams/${id}`, icon: Users, what: "Team" })),
  ];
}

/** Where a trigger is edited: in the builder, or with the agent that answers its chat. */
function useTriggerLink(): (triggerId: string) => string {
  const triggers = useAll({ noun: "triggers", path: "/api/triggers" }).data;
  return (id) => {
    const trigger = triggers?.find((one) => one.id === id);
    if (trigger === undefined) return "/workflows";
    const { kind, workflowId } = trigger;
    return workflowId === null ? "/agents" : triggerLink(workflowId, triggerIdOf(kind, id));
  };
}

export function UsedBy({ uses }: { uses: Uses }) {
  const list = usesOf(uses, useTriggerLink());
  return (
    <section className="stack tight" aria-label="Used by">
      <h3>{list.length === 0 ? "Used by nothing" : `Used by ${list.length}`}</h3>
      {list.length > 0 && <UseList list={list} />}
    </section>
  );
}

export function UseList({ list }: { list: readonly Use[] }) {
  return (
    <ul className="plain-list connection-uses">
      {list.map(({ key, name, to, icon: Icon, what }) => (
        <li key={key} className="row">
          <Icon size={14} aria-hidden />
          <Link href={to} className="grow ellipsis">
            {name}
          </Link>
          <span className="small muted">{what}</span>
        </li>
      ))}
    </ul>
  );
}
