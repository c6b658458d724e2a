import { FileJson } from "lucide-react";
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import { readN8n } from "../../flow/n8n-file.ts";
import { IMPORT_N8N_PATH, n8nState } from "../../flow/n8n-import-link.ts";
import { useClipboard } from "../../ui/clipboard.ts";
import { DropArea } from "../../ui/drop-area.tsx";
import { TextField } from "../../ui/field.tsx";
import { modifier } from "../../ui/shortcuts.ts";

const MAX_BYTES = 20_000_000;
const PASTED = "Pasted from n8n";

/** A file, or what n8n copies from its canvas, pasted anywhere on the screen. */
export function N8nUpload() {
  const [, navigate] = useLocation();
  const [problem, setProblem] = useState<string>();

  function read(content: string, fileName: string): void {
    const found = readN8n(content);
    if ("problem" in found) setProblem(found.problem);
    else navigate(IMPORT_N8N_PATH, { state: n8nState(fileName, found.workflows) });
  }
  async function readFiles(files: readonly File[]): Promise<void> {
    const [file] = files;
    if (file === undefined) return;
    if (files.length > 1) setProblem("Import one file at a time. Drop the first one again, alone.");
    else if (file.size > MAX_BYTES)
      setProblem(`${file.name} is larger than 20 MB. Remove the pinned data in n8n and download it again.`);
    else read(await file.text(), file.name);
  }
  useClipboard({
    copy: () => undefined,
    cut: () => undefined,
    paste: (pasted) => read(pasted, PASTED),
  });

  return (
    <DropArea className="page narrow drop-area" label="Import" onFiles={(files) => void readFiles(files)}>
      <div className="stack tight">
        <h2>Bring a workflow from n8n</h2>
        <p className="muted">
          You see what every node becomes before anything is created. Nothing runs until you publish it.
        </p>
      </div>
      {problem !== undefined && (
        <div className="notice bad" role="alert">
          {problem}
        </div>
      )}
      <FileBox onFiles={(files) => void readFiles(files)} />
      <PasteForm onText={(text) => read(text, PASTED)} />
      <p className="muted small">
        Files of n8n contain the names of credentials, never their passwords or keys. You choose connections
        in the next step.
      </p>
    </DropArea>
  );
}

function FileBox({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div className="card n8n-drop">
      <FileJson size={22} aria-hidden />
      <b>Drop the JSON file here</b>
      <span className="muted small">In n8n: menu of the workflow › Download</span>
      <input
        ref={picker}
        type="file"
        accept="application/json,.json"
        className="visually-hidden"
        tabIndex={-1}
        aria-label="n8n file"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // The same file can be chosen again after it was corrected.
          target.value = "";
          onFiles(files);
        }}
      />
      <button type="button" className="btn go" onClick={() => picker.current?.click()}>
        Choose a file
      </button>
    </div>
  );
}

function PasteForm({ onText }: { onText: (text: string) => void }) {
  const [text, setText] = useState("");
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        onText(text);
      }}
      // Pasted JSON is complete: no button has to be pressed.
      onPaste={(event) => {
        const pasted = event.clipboardData.getData("text/plain");
        if ("problem" in readN8n(pasted)) return;
        event.preventDefault();
        onText(pasted);
      }}
    >
      <TextField
        label="Or paste the workflow"
        value={text}
        onChange={setText}
        rows={5}
        placeholder='{ "nodes": [ …'
        hint={`In n8n, select the nodes with ${modifier}A and copy them with ${modifier}C.`}
      />
      <div>
        <button type="submit" className="btn" disabled={text.trim() === ""}>
          Review
        </button>
      </div>
    </form>
  );
}
