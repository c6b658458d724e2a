import { useEffect, useRef, useState } from "react";

/** The title of a step as a field on its node. Enter and leaving it save, Escape keeps the old title. */
export function TitleEditor({
  title,
  onDone,
}: {
  title: string;
  onDone: (title: string | undefined) => void;
}) {
  const [text, setText] = useState(title);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <input
      ref={field}
      className="title-editor nodrag nopan"
      aria-label="Title of the step"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => onDone(text)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        onDone(event.key === "Enter" ? text : undefined);
      }}
    />
  );
}
