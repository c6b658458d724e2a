import { expect, test } from "vitest";
import { docxOf, epubOf, paragraph, pptxOf, xlsxOf } from "../support/office-files.ts";
import { pdfOf } from "../support/pdf.ts";
import { shareApp } from "../support/shared-app.ts";
import { upload } from "./upload.ts";
import { shareWordEmbeddings } from "./word-embeddings.ts";

const words = await shareWordEmbeddings();
const { app, alice } = await shareApp(["alice"], words.settings);

const OFFICE = "application/vnd.openxmlformats-officedocument";
const FACT = "The valve opens at 9 bar.";
const chapter = `<h1>Valves</h1><p>${FACT}</p>`;

/** A file of each format with the same fact, its media type, and the page and location of the fact. */
const files: [string, string | Uint8Array, string, number, string | undefined][] = [
  [
    "manual.docx",
    docxOf(
      paragraph("Pumps", "berschrift1") + paragraph("Old.") + paragraph("Valves", "Own") + paragraph(FACT),
    ),
    `${OFFICE}.wordprocessingml.document`,
    2,
    "section Valves",
  ],
  [
    "talk.pptx",
    pptxOf([{ title: "Pumps" }, { lines: [FACT] }]),
    `${OFFICE}.presentationml.presentation`,
    2,
    "slide 2",
  ],
  [
    "list.xlsx",
    xlsxOf([
      { name: "Notes", rows: [["None."]] },
      { name: "Valves", rows: [[FACT]] },
    ]),
    `${OFFICE}.spreadsheetml.sheet`,
    2,
    "sheet Valves",
  ],
  [
    "book.epub",
    epubOf("Pumps", ["<h1>One</h1><p>Old.</p>", chapter]),
    "application/epub+zip",
    2,
    "section Valves",
  ],
  ["page.html", `<!doctype html><p>Old.</p>${chapter}`, "text/html", 2, "section Valves"],
  ["note.md", `# Pumps\n\nOld.\n\n# Valves\n\n${FACT}\n`, "text/markdown", 2, "section Valves"],
  ["note.txt", `${FACT}\n`, "text/plain", 1, "line 1"],
  [
    "mail.eml",
    `From: Ana <a@b.c>\nSubject: Pumps\n\n${FACT}\n`,
    "message/rfc822",
    1,
    "message from Ana <a@b.c>",
  ],
  ["table.csv", `part;note\npump;old\nvalve;"${FACT}"\n`, "text/csv", 1, "rows 2–3"],
];

test.each(files)(
  "%s is read by its content and cited by its place",
  async (name, file, type, page, location) => {
    const uploaded = await upload(alice, Buffer.from(file), {
      fileName: "anything.bin",
      metadata: { title: name },
    });
    expect([uploaded.status, uploaded.body.status]).toEqual([201, "indexed"]);
    const id = uploaded.body.document_id as string;
    expect((await alice.get(`/api/v1/documents/${id}`)).body).toMatchObject({
      media_type: type,
      title: name,
    });

    const question = { query: "At which pressure does the valve open at 9 bar?", document_ids: [id] };
    const { body } = await alice.post("/api/v1/documents/query", question);
    const source = body.sources.find(({ quote }: { quote: string }) => quote.includes(FACT));
    expect(source).toMatchObject({ document_id: id, page, location, boxes: [] });

    const answer = await app.http.inject({
      url: `/api/v1/documents/${id}/file`,
      headers: { authorization: `Bearer ${alice.token}` },
    });
    expect(Buffer.compare(answer.rawPayload, Buffer.from(file))).toBe(0);
    expect(answer.headers).toMatchObject({
      "content-type": type,
      "content-disposition": expect.stringMatching(new RegExp(`^attachment; filename="${name}"`)),
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox"),
    });
  },
);

const HEADINGS = ["Halden 40", "What does the Halden 40 weigh?"];
const WEIGHT = "The pump of the Halden 40 weighs 12 kg.";
const html = `${HEADINGS.map((heading, i) => `<h${i + 1}>${heading}</h${i + 1}>`).join("")}<p>${WEIGHT}</p>`;

test.each<[string, () => Promise<Uint8Array> | Uint8Array | string]>([
  ["Markdown", () => `# ${HEADINGS[0]}\n\n## ${HEADINGS[1]}\n\n${WEIGHT}\n`],
  ["HTML", () => `<!doctype html>${html}`],
  ["EPUB", () => epubOf("Pumps", [html])],
  [
    "DOCX",
    () => docxOf(paragraph(HEADINGS[0]!, "berschrift1") + paragraph(HEADINGS[1]!, "Own") + paragraph(WEIGHT)),
  ],
  ["PPTX", () => pptxOf([{ title: HEADINGS[0]! }, { title: HEADINGS[1]!, lines: [WEIGHT] }])],
  [
    "PDF",
    () =>
      pdfOf([
        [
          [HEADINGS[0]!, 60, 80, 24],
          [HEADINGS[1]!, 60, 120, 16],
          [WEIGHT, 60, 150],
        ],
      ]),
  ],
])(
  "a heading of a %s is never a quote, although it has a figure or ends like a sentence",
  async (_, file) => {
    const uploaded = await upload(alice, Buffer.from(await file()));
    expect(uploaded.status).toBe(201);
    const { body } = await alice.post("/api/v1/documents/query", {
      query: "What does the Halden 40 weigh?",
      document_ids: [uploaded.body.document_id],
    });
    expect(body.sources.map(({ quote }: { quote: string }) => quote)).toEqual([WEIGHT]);
    expect(body.answer.match(/“[^”]*”/g)).toEqual([`“${WEIGHT}”`]);
  },
);

test("without a title, a document has its own, else that of the file name", async () => {
  const titled = await upload(alice, Buffer.from("<title>Own title</title><p>One.</p>"), {
    fileName: "a.html",
  });
  const named = await upload(alice, Buffer.from("Some text."), { fileName: "my notes.txt" });
  for (const [uploaded, title] of [
    [titled, "Own title"],
    [named, "my notes"],
  ] as const)
    expect((await alice.get(`/api/v1/documents/${uploaded.body.document_id}`)).body.title).toBe(title);
});

test("the step document_query passes the location on", async () => {
  await upload(alice, Buffer.from("# Zebra\n\nThe zebra sleeps at noon.\n\n# Yak\n\nThe yak eats.\n"));
  const steps = [{ stepId: "ask", type: "document_query", query: "When does the zebra sleep?" }];
  const { body } = await alice.post("/api/workflows", { name: "Ask", metadata: { steps, edges: [] } });
  const run = await alice.post(`/api/workflows/${body.workflow.id}/run?wait=true`, { input: {} });
  expect(run.body.result.output.sources[0]).toMatchObject({ page: 1, location: "section Zebra" });
  expect(run.body.result.output.answer).toContain("“The zebra sleeps at noon.” (Zebra, section Zebra)");
});

test("the text of a page is returned with its location, and a page that does not exist is 404", async () => {
  const { body } = await upload(
    alice,
    Buffer.from("# Lynx\n\nThe lynx hides.\n\n# Otter\n\nThe otter swims.\n"),
  );
  const page = await alice.get(`/api/v1/documents/${body.document_id}/pages/2`);
  expect([page.status, page.body]).toEqual([
    200,
    {
      ok: true,
      document_id: body.document_id,
      title: "Lynx",
      page: 2,
      pages: 2,
      location: "section Otter",
      text: "Otter\nThe otter swims.",
    },
  ]);
  for (const [number, status, error] of [
    ["3", 404, "document_page_not_found"],
    ["0", 400, "invalid_request"],
    ["x", 400, "invalid_request"],
    ["99999999999999999999", 400, "invalid_request"],
  ] as const) {
    const answer = await alice.get(`/api/v1/documents/${body.document_id}/pages/${number}`);
    expect([number, answer.status, answer.body.error]).toEqual([number, status, error]);
  }
});

test("a comparison names the section of each quote", async () => {
  const ids: string[] = [];
  for (const [title, bar] of [
    ["Halden", 6],
    ["Orsk", 12],
  ]) {
    const file = Buffer.from(`# Pressure\n\nThe greatest pressure is ${bar} bar.\n\n# Oil\n\nSome.\n`);
    ids.push((await upload(alice, file, { metadata: { title } })).body.document_id);
  }
  const { body } = await alice.post("/api/v1/documents/query", {
    query: "Compare the greatest pressure",
    document_ids: ids,
  });
  expect(body.answer).toContain("Orsk:\n“The greatest pressure is 12 bar.” (section Pressure)");
});
