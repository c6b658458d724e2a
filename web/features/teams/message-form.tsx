import { Send } from "lucide-react";
import { type FormEvent, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import type { DiscoveryEntry } from "../../api/teams.ts";
import { showToast } from "../../ui/toasts.tsx";

interface MessageFormProps {
  members: readonly DiscoveryEntry[];
  sendMessage: (text: string, to?: string) => Promise<void>;
}

/** Sends a message to the room. The text stays in the field until the service has accepted it. */
export function MessageForm({ members, sendMessage }: MessageFormProps) {
  const [text, setText] = useState("");
  const [to, setTo] = useState("");
  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (text.trim() === "") return;
    try {
      await sendMessage(text, to === "" ? undefined : to);
      setText("");
    } catch (error) {
      showToast(messageOf(error));
    }
  }
  return (
    <form className="say" onSubmit={(event) => void send(event)}>
      <select
        className="in say-to"
        aria-label="Recipient"
        value={to}
        onChange={(event) => setTo(event.target.value)}
      >
        <option value="">everyone</option>
        {members.map((member) => (
          <option key={member.id} value={member.id}>
            {member.name}
          </option>
        ))}
      </select>
      <input
        className="in grow"
        aria-label="Message"
        placeholder="Message the room"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="btn go" aria-label="Send" disabled={text.trim() === ""}>
        <Send size={14} /> <span className="wide-only">Send</span>
      </button>
    </form>
  );
}
