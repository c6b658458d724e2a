import { Pin, PinOff } from "lucide-react";
import { useState } from "react";
import { TextField } from "../../../ui/field.tsx";
import { parseJson } from "../../../ui/parse-json.ts";
import type { Pinning } from "./use-pins.ts";

interface PinnedOutputProps {
  stepId: string;
  lastOutput: unknown;
  pinning: Pinning;
}

/** A fixed output for partial runs, so that a slow, costly or unfinished step does not have to run. */
export function PinnedOutput({ stepId, lastOutput, pinning: { pins, pin, unpin } }: PinnedOutputProps) {
  const [text, setText] = useState(() => JSON.stringify(pins.get(stepId) ?? lastOutput ?? {}, null, 2));
  if (!pins.has(stepId))
    return (
      <div>
        <button
          type="button"
          className="btn tiny"
          title="Partial runs use this output instead of running the step"
          onClick={() => {
            setText(JSON.stringify(lastOutput ?? {}, null, 2));
            pin(stepId, lastOutput ?? {});
          }}
        >
          <Pin size={13} /> Pin output
        </button>
      </div>
    );
  const { error } = parseJson(text);
  return (
    <div className="stack tight">
      <TextField
        label="Pinned output (JSON)"
        mono
        rows={6}
        value={text}
        error={error}
        hint="Partial runs use this output instead of running the step. Full runs ignore it. Stored in this browser."
        onChange={(next) => {
          setText(next);
          const read = parseJson(next);
          if (read.error === undefined) pin(stepId, read.value);
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
