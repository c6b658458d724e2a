import { useQuery } from "@tanstack/react-query";
import { type FileView, readFileContent } from "../../api/files.ts";
import { bytes as formatBytes } from "../../ui/time.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { JsonView } from "../../ui/json-view.tsx";
import { parseJson } from "../../ui/parse-json.ts";
import { saveFile } from "../../ui/save-file.ts";
import { Loaded } from "../../ui/states.tsx";

/** More text would slow the page down. */
const MAX_SHOWN_BYTES = 1_000_000;

interface FileDialogProps {
  file: FileView;
  onClose: () => void;
}

export function FileDialog({ file, onClose }: FileDialogProps) {
  const isShown = file.bytes <= MAX_SHOWN_BYTES;
  const content = useQuery({
    queryKey: ["files", "content", file.path],
    queryFn: async () => {
      const blob = await readFileContent(file.path);
      return { blob, text: await textOf(blob) };
    },
    enabled: isShown,
    staleTime: 0,
  });
  const blob = content.data?.blob;
  return (
    <Dialog title={file.name} onClose={onClose} wide>
      <p className="small muted">{formatBytes(file.bytes)}</p>
      {isShown ? (
        <Loaded query={content}>
          {({ text }) => (text === undefined ? <p>This file is not text.</p> : <Text text={text} />)}
        </Loaded>
      ) : (
        <p>This file is too large to be shown here.</p>
      )}
      <div className="actions">
        <button
          type="button"
          className="btn go"
          onClick={() =>
            void (blob === undefined ? readFileContent(file.path) : Promise.resolve(blob)).then((bytes) =>
              saveFile(bytes, file.name),
            )
          }
        >
          Download
        </button>
      </div>
    </Dialog>
  );
}

function Text({ text }: { text: string }) {
  const { value, error } = parseJson(text);
  return <JsonView value={error === undefined && text.trim() !== "" ? value : text} />;
}

/** Undefined for bytes that are not UTF-8 text. */
async function textOf(blob: Blob): Promise<string | undefined> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await blob.arrayBuffer());
  } catch {
    return undefined;
  }
}
