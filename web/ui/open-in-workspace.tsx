import { useLocation } from "wouter";
import { useSwitchWorkspace } from "../api/accounts.ts";
import { useRecordWorkspace } from "../api/record-workspace.ts";

/** For a link to a record of another workspace of the person, such as one that a colleague has sent. */
export function OpenInWorkspace() {
  const [location] = useLocation();
  const found = useRecordWorkspace(location);
  const switchTo = useSwitchWorkspace();
  if (found === undefined || found === null) return null;
  return (
    <button
      type="button"
      className="btn tiny"
      onClick={() => void switchTo(found.kind === "personal" ? null : found.id)}
    >
      Open in {found.name}
    </button>
  );
}
