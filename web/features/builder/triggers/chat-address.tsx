import { chatUrl, type StoredTrigger } from "../../../api/triggers.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { CopyLine } from "../../../ui/copy-line.tsx";

/** Where people find the chat, and how to embed it. */
export function ChatAddress({ trigger }: { trigger: Extract<StoredTrigger, { kind: "chat" }> }) {
  const { slug, origins } = trigger.settings;
  const url = chatUrl(slug);
  const snippet = `<script src="${location.origin}/chat-widget.js" data-chat="${slug}" async></script>`;
  return (
    <div className="side stack">
      <CopyLine label="Chat page">
        <a className="code breakable" href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
        <CopyButton text={url} />
      </CopyLine>
      <CopyLine label="Embed code">
        <code className="code breakable">{snippet}</code>
        <CopyButton text={snippet} />
      </CopyLine>
      {origins.length === 0 && (
        <p className="xs muted">Add the site below before you embed the chat: no other site can show it.</p>
      )}
    </div>
  );
}
