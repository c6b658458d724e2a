export interface TestResult {
  /** `tests/mandatory/protocol/test_agent_card`. */
  file: string;
  name: string;
  outcome: "passed" | "failed" | "skipped";
  message: string;
}

/** The test cases of a JUnit report as pytest writes it. */
export function readResults(xml: string): TestResult[] {
  return [...xml.matchAll(/<testcase ([^>]*?)(\/>|>([\s\S]*?)<\/testcase>)/g)].map(
    ([, attributes = "", , content = ""]) => ({
      file: attributeOf(attributes, "classname").replaceAll(".", "/"),
      name: attributeOf(attributes, "name"),
      outcome: /<(failure|error)\b/.test(content)
        ? "failed"
        : /<skipped\b/.test(content)
          ? "skipped"
          : "passed",
      message: attributeOf(content, "message"),
    }),
  );
}

function attributeOf(text: string, name: string): string {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? "";
  return value
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#10;", " ")
    .replaceAll("&amp;", "&");
}
