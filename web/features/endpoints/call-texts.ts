/** The same call three times, ready to paste; the key is named, never shown. */
export function callExamples(
  address: string,
  withKey: boolean,
): Record<"curl" | "JavaScript" | "Python", string> {
  const curlKey = withKey ? `  -H "Authorization: Bearer $BATON_KEY" \\\n` : "";
  const scriptKey = withKey ? `\n    authorization: \`Bearer \${process.env.BATON_KEY}\`,` : "";
  const pythonHead = withKey ? "import os\nimport requests" : "import requests";
  const pythonKey = withKey ? `\n    headers={"Authorization": f"Bearer {os.environ['BATON_KEY']}"},` : "";
  return {
    curl: `curl -X POST ${address} \\\n${curlKey}  -H "Content-Type: application/json" \\\n  -d '{"input": {"name": "Ada"}}'`,
    JavaScript: `const response = await fetch("${address}", {\n  method: "POST",\n  headers: {\n    "content-type": "application/json",${scriptKey}\n  },\n  body: JSON.stringify({ input: { name: "Ada" } }),\n});\nconsole.log(await response.json());`,
    Python: `${pythonHead}\n\nanswer = requests.post(\n    "${address}",${pythonKey}\n    json={"input": {"name": "Ada"}},\n)\nprint(answer.json())`,
  };
}
