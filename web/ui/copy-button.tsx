import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { messageOf } from "../api/api-error.ts";
import { copyText } from "./clipboard.ts";
import { say } from "./toasts.tsx";

/** `text` may be a function when it is long: it is only written when it is asked for. */
export function CopyButton({ text, label = "Copy" }: { text: string | (() => string); label?: string }) {
  const [copied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    await copyText(typeof text === "string" ? text : text());
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  }
  return (
    <button
      type="button"
      className="btn tiny"
      onClick={() => void copy().catch((error: unknown) => say(messageOf(error)))}
    >
      {copied ? <Check size={13} /> : <Copy size={13} />}
      {copied ? "Copied" : label}
    </button>
  );
}

/** What is shown exactly once: said so, and easy to take away. */
export function ShownOnce({ label, value }: { label: string; value: string }) {
  return (
    <div className="stack tight">
      <div className="row">
        <b className="small grow">{label}</b>
        <CopyButton text={value} />
      </div>
      <pre className="code" data-secret>
        {value}
      </pre>
      <p className="xs muted">This is shown here once and cannot be read again. Keep it somewhere safe.</p>
    </div>
  );
}
