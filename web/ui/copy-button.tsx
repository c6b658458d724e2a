import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { messageOf } from "../api/api-error.ts";
import { copyText } from "./clipboard.ts";
import { showToast } from "./toasts.tsx";

const COPIED_MS = 2000;

/** `text` may be a function, so that a large value is serialized only when it is copied. */
export function CopyButton({ text, label = "Copy" }: { text: string | (() => string); label?: string }) {
  const [copied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    await copyText(typeof text === "string" ? text : text());
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  }
  return (
    <button
      type="button"
      className="btn tiny"
      onClick={() => void copy().catch((error: unknown) => showToast(messageOf(error)))}
    >
      {copied ? <Check size={13} /> : <Copy size={13} />}
      {copied ? "Copied" : label}
    </button>
  );
}
