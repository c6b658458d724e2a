import type { ReactNode } from "react";
import "./styles/copy-line.css";

/** A value to copy: a URL, a key, a secret. */
export function CopyLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="field">
      <div className="name">
        <span>{label}</span>
      </div>
      <div className="row copy-line">{children}</div>
    </div>
  );
}
