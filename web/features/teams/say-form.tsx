import { Send } from "lucide-react";
import { type FormEvent, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import type { DiscoveryEntry } from "../../api/teams.ts";
import { say as tell } from "../../ui/toasts.tsx";

interface SayFormProps {
  members: readonly DiscoveryEntry[];
  say: (text: string, to?: string) => Promise<void>;
}

/** A person's own words in the room; they stay in the box until the room has them. */
export function SayForm({ members, say }: SayFormProps) {
  const [text, setText] = useState("");
  const [to, setTo] = useState("");
  async function speak(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (text.trim() === "") return;
    try {
      await say(text, to === "" ? undefined : to);
      setText("");
    } catch (error) {
      tell(messageOf(error));
    }
  }
  return (
    <form className="say" onSubmit={(event) => void speak(event)}>
      <select
        className="in say-to"
        aria-label="To whom"
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
        aria-label="Say something"
        placeholder="Say something to the room"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="btn go" aria-label="Send" disabled={text.trim() === ""}>
        <Send size={14} /> <span className="wide-only">Send</span>
      </button>
    </form>
  );
}
