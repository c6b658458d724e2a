import { Pin, PinOff } from "lucide-react";
import { useState } from "react";
import { TextField } from "../../../ui/field.tsx";
import { readJson } from "../../../ui/read-json.ts";
import type { Pinning } from "./use-pins.ts";

interface PinnedOutputProps {
  stepId: string;
  lastOutput: unknown;
  pinning: Pinning;
}

/** Sets what a step gives while others are tried: a slow or costly step need not run, nor one that cannot run yet. */
export function PinnedOutput({ stepId, lastOutput, pinning: { pins, pin, unpin } }: PinnedOutputProps) {
  const [text, setText] = useState(() => JSON.stringify(pins.get(stepId) ?? lastOutput ?? {}, null, 2));
  if (!pins.has(stepId))
    return (
      <div>
        <button
          type="button"
          className="btn tiny"
          title="Other steps that are run alone get this output, as you set it"
          onClick={() => {
            setText(JSON.stringify(lastOutput ?? {}, null, 2));
            pin(stepId, lastOutput ?? {});
          }}
        >
          <Pin size={13} /> Pin an output
        </button>
      </div>
    );
  const { wrong } = readJson(text);
  return (
    <div className="stack tight">
      <TextField
        label="Pinned output (JSON)"
        mono
        rows={6}
        value={text}
        wrong={wrong}
        hint="Steps after it get this when they are run alone or from there. Kept in this browser; whole runs do not use it."
        onChange={(next) => {
          setText(next);
          const read = readJson(next);
          if (read.wrong === undefined) pin(stepId, read.value);
        }}
      />
      <div>
        <button type="button" className="btn tiny" onClick={() => unpin(stepId)}>
          <PinOff size={13} /> Unpin
        </button>
      </div>
    </div>
  );
}
