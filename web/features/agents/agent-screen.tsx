import { MessageCircle, Plus, Save } from "lucide-react";
import { Suspense, useState } from "react";
import { Link, useParams } from "wouter";
import { type Agent, updateAgent, useAgent, useAgentMutation } from "../../api/agents.ts";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { Screen } from "../../ui/screen.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Failure, Loaded } from "../../ui/states.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { AgentConfiguration } from "./agent-configuration.tsx";
import { changesOf, describeChanges, draftOf } from "./agent-draft.ts";
import { AgentTrace } from "./agent-trace.tsx";
import { ChatPanel } from "./chat-panel.tsx";
import { useAgentChat } from "./use-agent-chat.ts";
import "./agents.css";
import { Allowed, ReadOnlyUnless } from "../../ui/allowed.tsx";

const AgentChatDialog = lazyComponent(() => import("./agent-chat-dialog.tsx"), "AgentChatDialog");

export function AgentScreen() {
  const { id } = useParams<{ id: string }>();
  const agent = useAgent(id);
  return agent.data === undefined ? (
    <Screen title="Agent" breadcrumbs={<AgentsLink />}>
      <div className="page">
        <Loaded query={agent}>{() => null}</Loaded>
      </div>
    </Screen>
  ) : (
    <Playground key={id} agent={agent.data} />
  );
}

function AgentsLink() {
  return (
    <>
      <Link href="/agents">Agents</Link> /
    </>
  );
}

type Part = "configuration" | "chat" | "trace";
const PARTS = [
  { value: "configuration", label: "Configuration" },
  { value: "chat", label: "Chat" },
  { value: "trace", label: "Trace" },
] as const;

/** Configuration, chat and trace side by side. The chat uses the configuration on the screen, saved or not. */
function Playground({ agent }: { agent: Agent }) {
  const [draft, setDraft] = useState(() => draftOf(agent));
  const [part, setPart] = useState<Part>("chat");
  const [isSharing, setSharing] = useState(false);
  const chat = useAgentChat(agent.id);
  const changes = changesOf(agent, draft);
  const isChanged = Object.keys(changes).length > 0;
  const save = useAgentMutation(
    () => updateAgent(agent.id, changes),
    () => showToast("Saved. Teams and workflows use it from now on."),
  );
  return (
    <Screen
      title={agent.name}
      breadcrumbs={<AgentsLink />}
      titleInfo={isChanged && <span className="chip wait">Draft · {describeChanges(changes)}</span>}
      actions={
        <>
          <button type="button" className="btn ghost" disabled={chat.turns.length === 0} onClick={chat.clear}>
            <Plus size={14} /> New chat
          </button>
          <Allowed to="updateAgent">
            <button type="button" className="btn ghost" onClick={() => setSharing(true)}>
              <MessageCircle size={14} /> Chat page
            </button>
            {isChanged && (
              <button type="button" className="btn" onClick={() => setDraft(draftOf(agent))}>
                Discard
              </button>
            )}
            <button
              type="button"
              className="btn go"
              disabled={!isChanged || draft.name.trim() === "" || save.isPending}
              onClick={() => save.mutate(undefined)}
            >
              <Save size={14} /> Save
            </button>
          </Allowed>
        </>
      }
    >
      <div className="playground" data-part={part}>
        <div className="playground-parts">
          <Segments label="Part of the playground" value={part} onChange={setPart} options={PARTS} />
        </div>
        <section className="playground-configuration" aria-label="Configuration">
          {save.error !== null && <Failure error={save.error} />}
          <ReadOnlyUnless may="updateAgent">
            <AgentConfiguration agent={agent} draft={draft} onChange={setDraft} />
          </ReadOnlyUnless>
        </section>
        {isSharing && (
          <Suspense fallback={null}>
            <AgentChatDialog agent={agent} onClose={() => setSharing(false)} />
          </Suspense>
        )}
        <ChatPanel chat={chat} changes={changes} hasConnection={draft.connection !== null} />
        <section className="playground-trace" aria-label="Trace" tabIndex={0}>
          <AgentTrace turns={chat.turns} />
        </section>
      </div>
    </Screen>
  );
}
