import { Download, FileText } from "lucide-react";
import { messageOf } from "../../api/api-error.ts";
import { readRunFile } from "../../api/run-files.ts";
import { fileReferencesIn } from "../../flow/file-references.ts";
import { saveFile } from "../../ui/save-file.ts";
import { bytes } from "../../ui/time.ts";
import { showToast } from "../../ui/toasts.tsx";
import "./file-chips.css";

/** The files that a value names, each with its size and a download. */
export function FileChips({ value }: { value: unknown }) {
  const files = fileReferencesIn(value);
  if (files.length === 0) return null;
  return (
    <ul className="file-chips plain-list" aria-label="Files">
      {files.map(({ file, name, contentType, size }) => (
        <li key={file} className="file-chip" title={contentType}>
          <FileText size={14} aria-hidden />
          <span className="file-chip-name">{name}</span>
          <span className="muted">{bytes(size)}</span>
          <button
            type="button"
            className="btn ghost icon"
            aria-label={`Download ${name}`}
            title="Download"
            onClick={() => void download(file, name)}
          >
            <Download size={14} />
          </button>
        </li>
      ))}
    </ul>
  );
}

async function download(file: string, name: string): Promise<void> {
  try {
    saveFile(await readRunFile(file), name);
  } catch (error) {
    showToast(messageOf(error));
  }
}
