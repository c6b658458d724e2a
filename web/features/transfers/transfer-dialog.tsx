import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { useSwitchWorkspace } from "../../api/accounts.ts";
import { useMay } from "../../api/permissions.ts";
import {
  MOVE_OPERATIONS,
  type TransferKind,
  type TransferredRecord,
  useTransfer,
  useTransferReport,
  useTransferTargets,
  type Verb,
} from "../../api/transfers.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField } from "../../ui/field.tsx";
import { RadioList } from "../../ui/radio-list.tsx";
import { Failure, Loaded } from "../../ui/states.tsx";
import { Report } from "./transfer-report.tsx";

const NOTES: Readonly<Record<TransferKind, Readonly<Record<Verb, string>>>> = {
  workflow: {
    copy: "With its versions. Endpoint and form are off; runs and triggers stay here.",
    move: "With its versions, runs, triggers and addresses. It is no longer here.",
  },
  agent: {
    copy: "Without its memory.",
    move: "With its memory. It is no longer here.",
  },
  team: {
    copy: "Without its sessions, and with a new secret.",
    move: "With its sessions, secret and address. It is no longer here.",
  },
  template: {
    copy: "With its versions.",
    move: "With its versions. It is no longer here.",
  },
  document: {
    copy: "With its file, passages and tags. It is not in a collection there.",
    move: "With its file, passages and tags. It leaves its collections and is no longer here.",
  },
};
const HOMES: Readonly<Record<TransferKind, (id: string) => string>> = {
  workflow: (id) => `/workflows/${id}`,
  agent: (id) => `/agents/${id}`,
  team: (id) => `/teams/${id}`,
  template: () => "/templates",
  document: (id) => `/documents?open=${id}`,
};
/** Lists that show the record. */
const NOUNS: Readonly<Record<TransferKind, readonly string[]>> = {
  workflow: ["workflows", "workflow", "folders"],
  agent: ["agents"],
  team: ["teams"],
  template: ["templates"],
  document: ["documents", "collections"],
};

interface TransferDialogProps {
  record: TransferredRecord;
  /** `isGone`: the record was moved. */
  onClose: (isGone: boolean) => void;
}

/** Shows what the other workspace lacks before anything happens, and where the record is afterwards. */
export function TransferDialog({ record, onClose }: TransferDialogProps) {
  const { kind, name } = record;
  const may = useMay();
  const client = useQueryClient();
  const targets = useTransferTargets();
  const [workspaceId, setWorkspaceId] = useState(targets.length === 1 ? (targets[0]?.id ?? "") : "");
  const [verb, setVerb] = useState<Verb>("copy");
  const report = useTransferReport(record, verb, workspaceId);
  const transfer = useTransfer(record);
  const target = targets.find(({ id }) => id === workspaceId);
  const isGone = transfer.data !== undefined && transfer.variables.verb === "move";
  function close(): void {
    if (isGone) for (const noun of NOUNS[kind]) void client.invalidateQueries({ queryKey: [noun] });
    onClose(isGone);
  }
  const verbs = [
    { value: "copy", label: "Copy", note: NOTES[kind].copy },
    ...(may(MOVE_OPERATIONS[kind]) ? [{ value: "move", label: "Move", note: NOTES[kind].move }] : []),
  ];
  return (
    <Dialog title={`Move or copy “${name}”`} onClose={close}>
      {transfer.data !== undefined && target !== undefined ? (
        <Done
          text={`“${name}” ${isGone ? "was moved" : "was copied"} to ${target.name}.`}
          isMoving={transfer.data.isMoving === true}
          home={HOMES[kind](transfer.data.id ?? "")}
          target={target}
          onClose={close}
        />
      ) : (
        <div className="stack">
          <SelectField
            label="Workspace"
            value={workspaceId}
            onChange={(id) => {
              transfer.reset();
              setWorkspaceId(id);
            }}
            options={targets.map((each) => ({ value: each.id, label: each.name }))}
            {...(targets.length === 1 ? {} : { emptyOption: "Choose a workspace" })}
          />
          <RadioList
            label="Action"
            value={verb}
            onChange={(next) => {
              transfer.reset();
              setVerb(next as Verb);
            }}
            options={verbs}
          />
          {target !== undefined && (
            <Loaded query={report} rows={2}>
              {(found) => <Report report={found} kind={kind} verb={verb} workspace={target.name} />}
            </Loaded>
          )}
          {transfer.error !== null && <Failure error={transfer.error} />}
          <div className="actions">
            <button type="button" className="btn" onClick={close}>
              Cancel
            </button>
            <button
              type="button"
              className="btn go"
              disabled={report.data === undefined || report.data.conflicts.length > 0 || transfer.isPending}
              onClick={() => transfer.mutate({ verb, workspaceId })}
            >
              {verb === "copy" ? "Copy" : "Move"}
            </button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

interface DoneProps {
  text: string;
  isMoving: boolean;
  home: string;
  target: { id: string; name: string; kind: string };
  onClose: () => void;
}

const focus = (element: HTMLElement | null): void => element?.focus();

function Done({ text, isMoving, home, target, onClose }: DoneProps) {
  const [, navigate] = useLocation();
  const switchTo = useSwitchWorkspace();
  return (
    <div className="stack">
      <p role="status">
        {text}
        {isMoving && " What belongs to it follows in the background."}
      </p>
      <div className="actions">
        <button type="button" className="btn" onClick={onClose}>
          Done
        </button>
        <a
          className="btn go"
          // The button that had the focus is gone.
          ref={focus}
          href={home}
          onClick={(event) => {
            event.preventDefault();
            onClose();
            void switchTo(target.kind === "personal" ? null : target.id).then(() => navigate(home));
          }}
        >
          Open in {target.name}
        </a>
      </div>
    </div>
  );
}
