import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

/** Rarely changed settings as one summary line that opens. */
export function SettingsSection({
  title,
  summary,
  children,
}: {
  title: string;
  summary: string;
  children: ReactNode;
}) {
  return (
    <details className="settings-section">
      <summary>
        <b>{title}</b>
        <span className="muted ellipsis grow">{summary}</span>
        <ChevronRight size={14} aria-hidden />
      </summary>
      <div className="step-settings">{children}</div>
    </details>
  );
}
