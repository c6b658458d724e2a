import { Pin, PinOff, Play } from "lucide-react";
import { type ReactNode, useState } from "react";
import { messageOf } from "../../../api/api-error.ts";
import { JsonView } from "../../../ui/json-view.tsx";
import type { BuilderState } from "../use-builder.ts";

interface TestInputProps {
  builder: BuilderState;
  /** What the button says. */
  label?: string;
  /** A real sample of the trigger; undefined when there is none yet. Starts nothing. */
  load: () => unknown;
  /** What to do when there is no sample. */
  empty?: string;
  /** Above the buttons: fields that the sample is made from, or another way to get one. */
  children?: ReactNode;
}

/** Shows a sample of a trigger as the input of a run, and pins it for test runs of the draft. */
export function TestInput({
  builder,
  label = "Show sample input",
  load,
  empty = "There is nothing yet.",
  children,
}: TestInputProps) {
  const { pinnedInput, commands } = builder;
  const [sample, setSample] = useState<{ input: unknown }>();
  const [note, setNote] = useState<{ text: string; isError: boolean }>();
  const [isLoading, setLoading] = useState(false);
  const isPinned = pinnedInput.input !== undefined;
  const shown = sample?.input ?? pinnedInput.input;

  async function test(): Promise<void> {
    setLoading(true);
    setNote(undefined);
    try {
      const input = await load();
      setSample(input === undefined ? undefined : { input });
      if (input === undefined) setNote({ text: empty, isError: false });
    } catch (error) {
      setNote({ text: messageOf(error), isError: true });
    } finally {
      setLoading(false);
    }
  }

  return (
    <section className="card pad stack tight" aria-label="Test">
      {children}
      <div className="row wrap">
        <button type="button" className="btn" disabled={isLoading} onClick={() => void test()}>
          {isLoading ? "Loading …" : label}
        </button>
        {shown !== undefined && (
          <button type="button" className="btn ghost" onClick={() => commands.run(shown)}>
            <Play size={14} aria-hidden /> Run draft with this input
          </button>
        )}
        {sample !== undefined && (
          <button type="button" className="btn ghost" onClick={() => pinnedInput.pin(sample.input)}>
            <Pin size={14} aria-hidden /> Pin as test input
          </button>
        )}
        {isPinned && (
          <button type="button" className="btn ghost" onClick={pinnedInput.unpin}>
            <PinOff size={14} aria-hidden /> Unpin test input
          </button>
        )}
      </div>
      <div role="status">
        {note !== undefined && <p className={note.isError ? "notice bad" : "small muted"}>{note.text}</p>}
        {sample === undefined && isPinned && (
          <p className="small muted">Test runs of the draft use the pinned input.</p>
        )}
      </div>
      {shown !== undefined && <JsonView value={shown} />}
    </section>
  );
}
