import { Download, FileText, Folder } from "lucide-react";
import { useState } from "react";
import { Link, useSearchParams } from "wouter";
import { messageOf } from "../../api/api-error.ts";
import { type FileView, readFileContent, useDeleteFile, useFilePages } from "../../api/files.ts";
import { bytes as formatBytes } from "../../ui/time.ts";
import { RecordTable } from "../../ui/record-table.tsx";
import { DeleteButton } from "../../ui/row-actions.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { Screen } from "../../ui/screen.tsx";
import { Empty } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { FileDialog } from "./file-dialog.tsx";

const linkTo = (path: string): string => (path === "" ? "/files" : `/files?path=${encodeURIComponent(path)}`);

/** The files that `file` steps wrote, folder by folder. */
export function Files() {
  const [search] = useSearchParams();
  const path = search.get("path") ?? "";
  const [shown, setShown] = useState<FileView>();
  const files = useFilePages(path);
  const remove = useDeleteFile();
  const columns: Column<FileView>[] = [
    {
      title: "Name",
      cell: (file) =>
        file.kind === "folder" ? (
          <Link href={linkTo(file.path)} className="row">
            <Folder size={15} aria-hidden /> {file.name}
          </Link>
        ) : (
          <button type="button" className="btn ghost row" onClick={() => setShown(file)}>
            <FileText size={15} aria-hidden /> {file.name}
          </button>
        ),
    },
    {
      title: "Size",
      muted: true,
      cell: ({ kind, bytes }) => (kind === "folder" ? "Folder" : formatBytes(bytes)),
    },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (file) => (
        <>
          {file.kind === "file" && (
            <button
              type="button"
              className="btn ghost icon"
              aria-label={`Download ${file.name}`}
              title="Download"
              onClick={() => void download(file)}
            >
              <Download size={15} />
            </button>
          )}
          <DeleteButton
            may="deleteFile"
            label={`Delete ${file.name}`}
            question={`Delete “${file.name}”?`}
            consequence={
              file.kind === "folder"
                ? "The folder is deleted with everything in it. Steps that read these files fail."
                : "Steps that read this file fail until one writes it again."
            }
            onConfirm={() => remove.mutateAsync(file.path)}
          />
        </>
      ),
    },
  ];
  return (
    <Screen title="Files">
      <div className="page">
        <FolderPath path={path} />
        <RecordTable
          list={files}
          columns={columns}
          keyOf={(file) => file.path}
          empty={
            <Empty title={path === "" ? "No files yet" : "This folder is empty"}>
              Steps of the type File read and write here. Add one to a workflow to keep reports, exports or
              logs.
            </Empty>
          }
        />
      </div>
      {shown !== undefined && <FileDialog file={shown} onClose={() => setShown(undefined)} />}
    </Screen>
  );
}

function FolderPath({ path }: { path: string }) {
  const names = path === "" ? [] : path.split("/");
  if (names.length === 0) return null;
  return (
    <nav className="row" aria-label="Folder">
      <Link href={linkTo("")}>Files</Link>
      {names.map((name, index) => {
        const folder = names.slice(0, index + 1).join("/");
        return (
          <span key={folder} className="row">
            <span className="muted">/</span>
            {folder === path ? <b>{name}</b> : <Link href={linkTo(folder)}>{name}</Link>}
          </span>
        );
      })}
    </nav>
  );
}

async function download({ path, name }: FileView): Promise<void> {
  try {
    saveFile(await readFileContent(path), name);
  } catch (error) {
    showToast(messageOf(error));
  }
}
