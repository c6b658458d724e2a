import type { Agent } from "../../api/agents.ts";
import { useAll } from "../../api/pages.ts";
import { deleteTrigger, type StoredTrigger, updateTrigger, useTriggerMutation } from "../../api/triggers.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure, Loaded } from "../../ui/states.tsx";
import { Switch } from "../../ui/switch.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { ChatAddress } from "../builder/triggers/chat-address.tsx";
import { ChatForm } from "../builder/triggers/chat-form.tsx";

type Chat = Extract<StoredTrigger, { kind: "chat" }>;

/** The chats whose messages this agent answers: a page and a widget for people without an account. */
export function AgentChatDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const triggers = useAll({ noun: "triggers", path: "/api/triggers" });
  return (
    <Dialog title={`Chat page of ${agent.name}`} onClose={onClose}>
      <Loaded query={triggers} rows={4}>
        {(all) => <Chats agent={agent} chats={all.filter((trigger) => isAnsweredBy(trigger, agent.id))} />}
      </Loaded>
    </Dialog>
  );
}

function isAnsweredBy(trigger: StoredTrigger, agentId: string): trigger is Chat {
  return trigger.kind === "chat" && trigger.settings.agentId === agentId;
}

function Chats({ agent, chats }: { agent: Agent; chats: readonly Chat[] }) {
  const answeredBy = { agentId: agent.id };
  if (chats.length === 0)
    return (
      <>
        <p className="small muted">
          People chat with the saved agent. Its limits and tools apply to every answer.
        </p>
        <ChatForm
          answeredBy={answeredBy}
          name={agent.name}
          trigger={undefined}
          onSaved={() => showToast("Chat created.")}
        />
      </>
    );
  return chats.map((chat) => <ExistingChat key={chat.id} agent={agent} chat={chat} />);
}

function ExistingChat({ agent, chat }: { agent: Agent; chat: Chat }) {
  const update = useTriggerMutation((active: boolean) => updateTrigger(chat.id, { active }));
  const remove = useTriggerMutation(() => deleteTrigger(chat.id));
  return (
    <section className="stack" aria-label={chat.settings.title}>
      <Switch
        label={chat.active ? "Active" : "Paused"}
        checked={chat.active}
        disabled={update.isPending}
        onChange={(active) => update.mutate(active)}
      />
      {update.error !== null && <Failure error={update.error} />}
      <ChatAddress trigger={chat} />
      <ChatForm
        answeredBy={{ agentId: agent.id }}
        name={agent.name}
        trigger={chat}
        onSaved={() => showToast("Saved.")}
      />
      <div>
        <ConfirmButton
          className="btn danger"
          question="Delete this chat?"
          consequence="Its address stops working and its conversations are deleted. Its runs are kept."
          confirm="Delete"
          onConfirm={() => remove.mutateAsync(undefined)}
        >
          Delete chat
        </ConfirmButton>
      </div>
    </section>
  );
}
