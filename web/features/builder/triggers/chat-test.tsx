import { useState } from "react";
import { TextField } from "../../../ui/field.tsx";
import type { BuilderState } from "../use-builder.ts";
import { TestInput } from "./test-input.tsx";

/** A typed message as the input of a test run. */
export function ChatTest({ builder }: { builder: BuilderState }) {
  const [message, setMessage] = useState("Hello");
  return (
    <TestInput
      builder={builder}
      label="Use this message"
      load={() => ({ message, conversationId: "test", history: [] })}
    >
      <TextField label="Test message" value={message} onChange={setMessage} />
    </TestInput>
  );
}
