import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { saveFile } from "../../ui/save-file.ts";

/** Shows the recovery codes, which the service returns only once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = `${codes.join("\n")}\n`;
  return (
    <Dialog title="Save your recovery codes" onClose={onClose}>
      <p>
        Each code signs you in once when you do not have your device. Store them where you keep passwords. You
        will not be able to see them again.
      </p>
      <pre className="code recovery-codes" data-secret>
        {text}
      </pre>
      <div className="actions">
        <CopyButton text={text} />
        <button
          type="button"
          className="btn"
          onClick={() => saveFile(new Blob([text], { type: "text/plain" }), "baton-recovery-codes.txt")}
        >
          Download
        </button>
        <button type="button" className="btn go" onClick={onClose}>
          I have saved them
        </button>
      </div>
    </Dialog>
  );
}
