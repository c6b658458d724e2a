import { Link } from "wouter";
import { type McpServer, useMcpServerUses, useMcpTools } from "../../api/mcp-servers.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure, Skeleton } from "../../ui/states.tsx";

/** What a server offers, and what uses it. */
export function McpToolsDialog({ server, onClose }: { server: McpServer; onClose: () => void }) {
  const tools = useMcpTools(server.id);
  const uses = useMcpServerUses(server.id).data;
  const users = [
    ...(uses?.workflows ?? []).map(({ id, name }) => ({ to: `/workflows/${id}`, name })),
    ...(uses?.agents ?? []).map(({ id, name }) => ({ to: `/agents/${id}`, name })),
  ];
  return (
    <Dialog title={server.name} onClose={onClose}>
      <div className="stack">
        <h3>Tools</h3>
        {tools.error !== null && <Failure error={tools.error} retry={() => void tools.refetch()} />}
        {tools.isPending && <Skeleton rows={3} />}
        {tools.data?.length === 0 && <p className="muted small">The server offers no tools.</p>}
        <ul className="plain-list stack tight">
          {tools.data?.map((tool) => (
            <li key={tool.name}>
              <b>{tool.title ?? tool.name}</b> {tool.isReadOnly && <span className="chip">read-only</span>}
              <p className="small muted few-lines">{tool.description}</p>
            </li>
          ))}
        </ul>
        <h3>Used by</h3>
        {users.length === 0 ? (
          <p className="muted small">No workflow and no agent uses it.</p>
        ) : (
          <ul className="plain-list">
            {users.map(({ to, name }) => (
              <li key={to}>
                <Link href={to}>{name}</Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
